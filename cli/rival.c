#include "rival.h"

#include <string.h>

static const struct rival *const rivals[] = {&rival_fftw,  &rival_mkl,   &rival_kissfft,
                                             &rival_cufft, &rival_vkfft, &rival_vkfft_vulkan};

const struct rival *rival_find(const char *name, const struct place *place)
{
    const struct rival *found = NULL;
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++) {
        if (strcmp(rivals[i]->name, name) != 0) continue;
        if (!found || rivals[i]->place == place) found = rivals[i];
    }
    return found;
}

const char *rival_names(void)
{
    return "fftw, mkl, kissfft, cufft, vkfft";
}

bool rival_has(const struct rival *rival, weft_kind kind, int threads)
{
    return rival->kinds >> kind & 1 && (threads == 1 || !rival->one_thread);
}

weft_direction rival_direction(weft_kind kind)
{
    return kind == WEFT_C2R ? WEFT_INVERSE : WEFT_FORWARD;
}
