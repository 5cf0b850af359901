/* Memory between guard bands, for buffers: whatever the library writes where it must not shows. */
#ifndef TESTS_SUPPORT_GUARDED_H
#define TESTS_SUPPORT_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reference/reference.h"
#include "weft/weft.h"

/* One array of pairs or two planes, every byte 0xff at first: not a number, so that reading between
 * the elements shows as well. */
struct guarded {
    weft_format format;
    weft_storage storage; /* 0: pairs of doubles, as in WEFT_DD */
    size_t bytes; /* of each plane */
    int planes;
    bool real;   /* reals, not complex elements */
    bool shared; /* the blocks are another's */
    unsigned char *block[2];  /* with the guards */
    unsigned char *before[2]; /* the blocks as guarded_remember() found them */
    void *data[2];            /* what the library is given; data[1] is NULL if interleaved */
};

/* Room for `elements` complex elements, `shift` real numbers off a cache line. */
void guarded_create(struct guarded *guarded, weft_format format, weft_storage storage,
                    int64_t elements, int shift);
/* For `elements` reals. */
void guarded_create_real(struct guarded *guarded, weft_storage storage, int64_t elements,
                         int shift);
/* Takes another's memory for its own, which is freed; the other must outlive it. */
void guarded_share(struct guarded *guarded, const struct guarded *other);
void guarded_destroy(struct guarded *guarded);

/* A buffer over the memory, the caller's to destroy. */
weft_buffer *guarded_wrap(const struct guarded *guarded, weft_device *device);

void guarded_put(struct guarded *guarded, int64_t place, double re, double im);
void guarded_get(const struct guarded *guarded, int64_t place, double *re, double *im);

/* Likewise of pairs of doubles, with all their digits where they are stored as such, which
 * guarded_get() does not take. */
void guarded_put_extended(struct guarded *guarded, int64_t place,
                          const struct reference_extended value[2]);
void guarded_get_extended(const struct guarded *guarded, int64_t place,
                          struct reference_extended value[2]);

/* Notes what is in the memory now. */
void guarded_remember(struct guarded *guarded);

/* Nothing has changed since. */
bool guarded_is_unchanged(const struct guarded *guarded);

/* Nothing has changed since but, perhaps, the elements at these places. */
bool guarded_is_unchanged_beside(const struct guarded *guarded, int64_t places,
                                 const int64_t *place);

#endif
