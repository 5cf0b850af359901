#include "device/gpu/present.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What drivers talk to their GPUs through: the kernel's own interface and those of makers. */
static const char *const files[] = {
    "dri",        /* Linux: Intel, AMD, Arm, Broadcom, NVIDIA's open drivers */
    "nvidiactl",  /* NVIDIA */
    "nvhost-gpu", /* NVIDIA Tegra */
    "nvmap",
    "kfd",      /* AMD's compute */
    "kgsl-3d0", /* Qualcomm */
    "mali0",    /* Arm */
    "pvr_sync", /* Imagination */
    "galcore",  /* VeriSilicon */
    "dxg",      /* Linux within Windows */
};

bool gpu_may_be_present_in(const char *folder, const char *variable)
{
    if (getenv(variable)) return true;
#ifdef __linux__
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
#else
    (void)folder;
    return true;
#endif
}

bool gpu_may_be_present(const char *variable)
{
    return gpu_may_be_present_in("/dev", variable);
}
