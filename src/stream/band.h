/* One band of a pass: what of its large arrays it is, and the host's copies of it. */
#ifndef WEFT_STREAM_BAND_H
#define WEFT_STREAM_BAND_H

#include "stream/pass.h"

/* The first element along every dimension. */
struct band {
    const struct stream_pass *pass;
    bool opens; /* the pass */
    const struct far *chirps;
    int64_t first[BOX_MAX_DIMS];
};

/* What of a band is copied: of the last two dimensions so much, counted in the band; count 0: all
 * that there is. */
struct share {
    struct range last[2];
    bool mirrored; /* it counts back from the pass's mirror_far */
};

static const struct share all_of_it = {.mirrored = false};

/* Elements of the band along a dimension. */
int64_t band_count(const struct band *band, int d, int side);

/* Whether a side has any of the band. */
bool band_is_there(const struct band *band, int side);

/* Where a share of the band lies in its large array, of which each element has so many bytes, and
 * in near memory: planes there are parts of pairs. */
struct box band_box(const struct band *band, int side, const struct far *far,
                    const struct share *share);

/* Copies the band from or to near memory that the host reaches, which a mirrored one changes. */
weft_status band_gather(const struct band *band, weft_precision precision, const struct far *far,
                        void *near);
weft_status band_scatter(const struct band *band, weft_precision precision, const struct far *far,
                         void *near);

#endif
