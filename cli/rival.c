#include "rival.h"

#include <string.h>

static const struct rival *const rivals[] = {&rival_fftw, &rival_cufft, &rival_vkfft};

const struct rival *rival_find(const char *name)
{
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++)
        if (strcmp(rivals[i]->name, name) == 0) return rivals[i];
    return NULL;
}

const char *rival_names(void)
{
    return "fftw, cufft, vkfft";
}
