#include "spec/profile.h"

#include <stdio.h>
#include <string.h>

#define GIB (INT64_C(1) << 30)

/* "report N" is vulkan.gpuinfo.org/displayreport.php?id=N. */
const struct profile profile_table[] = {
    {"rpi4", "Raspberry Pi 4 (V3D 4.2)",
     "Mesa: broadcom/vulkan/v3dv_device.c, broadcom/common/v3d_limits.h", 256, 16384, 16, 32, false,
     false, GIB},
    {"rpi5", "Raspberry Pi 5 (V3D 7.1)",
     "Mesa: broadcom/vulkan/v3dv_device.c, broadcom/common/v3d_limits.h", 256, 16384, 16, 32, false,
     false, GIB},
    {"mali", "Arm Mali (Valhall)", "reports 10312 and 15142; Arm: Mali Offline Compiler guide", 512,
     32768, 16, 64, false, false, 0},
    {"adreno", "Qualcomm Adreno", "reports 10983 and 16312", 1024, 32768, 64, 0, false, false, 0},
    {"xe", "Intel Arc (Xe)", "report 19818", 1024, 32768, 32, 0, false, false, 0},
    {"rdna", "AMD RDNA", "report 10906", 1024, 65536, 64, 0, true, true, 0},
    {"gcn", "AMD GCN (2nd generation and later)", "Mesa: amd/vulkan/radv_device.c", 1024, 65536, 64,
     0, true, true, 0},
    {"m1", "Apple M1 through MoltenVK", "report 14673", 1024, 32768, 32, 0, false, true, 0},
    {"turing", "NVIDIA Turing and Ampere", "report 11252", 1024, 49152, 32, 0, true, true, 0},
    {"lavapipe", "lavapipe on AVX2", "Mesa 22.3.6: vkGetPhysicalDeviceProperties()", 1024, 32768, 8,
     0, true, true, GIB / 8},
    {"least", "what every device of Vulkan 1.0 has", "Vulkan 1.0: required limits", 128, 16384, 4,
     0, false, false, GIB / 8},
};
const int profile_count = sizeof profile_table / sizeof *profile_table;

const struct profile *profile_find(const char *name, size_t length)
{
    for (int i = 0; i < profile_count; i++) {
        const char *known = profile_table[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return &profile_table[i];
    }
    return NULL;
}

void profile_apply(const struct profile *profile, struct limits *limits)
{
    snprintf(limits->name, sizeof limits->name, "%.47s", profile->chip);
    limits->threads = profile->threads;
    limits->shared_bytes = profile->shared_bytes;
    limits->shared_total = 0;
    limits->simd_width = profile->simd_width;
    limits->register_file = 0;
    limits->resident_threads = 0;
    if (profile->registers) limits->registers = profile->registers;
    limits->precisions = 1u << WEFT_F32 | (profile->doubles ? 1u << WEFT_F64 : 0);
    limits_add_extended(limits);
    limits->narrow = !profile->wide_integers;
    if (profile->largest_buffer) limits->largest_buffer = profile->largest_buffer;
}
