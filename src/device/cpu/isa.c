/* Which codelets this processor can run. */
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/cpu/abreast.h"
#include "device/cpu/engine.h"
#include "device/cpu/factors.h"
#include "device/cpu/general.h"
#include "device/cpu/machine.h"
#include "device/cpu/matrix.h"
#include "device/cpu/mirror.h"
#include "device/cpu/odd.h"
#include "device/cpu/resample.h"
#include "device/cpu/sum.h"

/* Generated code includes but that header. */
_Static_assert(CODELET_MAX_RADIX == LIMITS_MAX_RADIX, "codelets of the radices that there are");

struct candidate {
    const struct codelet_set *set[2];     /* by weft_precision */
    const struct cpu_general *general[2]; /* likewise */
    const struct machine_arithmetic *extended;
    const struct cpu_mirrors *mirrors; /* by weft_precision, */
    const struct cpu_sums *sums;       /* and so are these */
    const struct cpu_matrices *matrices;
    const struct cpu_factors *factors;
    const struct cpu_resample *resample;
    const struct cpu_odd *odd;
    const struct cpu_abreast *abreast;
    bool (*available)(void);
    bool narrow; /* taken only beside a wider set of the same instructions */
};

static bool always(void)
{
    return true;
}

#if defined(__x86_64__)
/* Not every compiler's __builtin_cpu_supports() knows f16c. Virtual machines take microseconds to
 * tell, so they are asked once. */
static bool has_halves(void)
{
    static atomic_int known; /* 0: not yet, else 1 + what it is */
    unsigned a, b, c = 0, d;
    if (!known) known = 1 + (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C));
    return known > 1;
}

/* Zen 4 and its kin: vectors of 64 bytes take two turns of units of 32. */
static bool halves_vectors(void)
{
    static atomic_int known; /* as above */
    unsigned a, b, c, d;
    if (!known) {
        const bool told = __builtin_cpu_is("amd") && __get_cpuid(1, &a, &b, &c, &d);
        known = 1 + (told && (a >> 8 & 0xf) + (a >> 20 & 0xff) == 0x19);
    }
    return known > 1;
}

static bool has_avx2(void)
{
    return has_halves() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#else
static bool halves_vectors(void)
{
    return false;
}
#endif

#define BASIC {&cpu_general_f32, &cpu_general_f64}
#define AVX2  {&cpu_general_avx2_f32, &cpu_general_avx2_f64}

/* Widest first. */
static const struct candidate candidates[] = {
#if defined(__x86_64__)
    {{&codelets_avx512_f32, &codelets_avx512_f64}, AVX2, &machine_avx512, mirrors_avx512,
     sums_avx512, matrices_avx512, factors_avx512, resample_avx512, odd_avx512, abreast_avx512,
     has_avx512, false},
    {{&codelets_avx512vl_f32, &codelets_avx512vl_f64}, AVX2, &machine_avx512, mirrors_avx512,
     sums_avx512, matrices_avx512, factors_avx512, resample_avx512, odd_avx512, abreast_avx512,
     has_avx512, true},
    {{&codelets_avx2_f32, &codelets_avx2_f64}, AVX2, &machine_avx2, mirrors_avx2, sums_avx2,
     matrices_avx2, factors_avx2, resample_avx2, odd_avx2, abreast_avx2, has_avx2, false},
    {{&codelets_sse2_f32, &codelets_sse2_f64}, BASIC, &machine_basic, mirrors_basic, sums_basic,
     matrices_basic, factors_basic, resample_basic, odd_basic, abreast_basic, always, false},
    {{&codelets_fma_f32, &codelets_fma_f64}, AVX2, &machine_avx2, mirrors_avx2, sums_avx2,
     matrices_avx2, factors_avx2, resample_avx2, odd_avx2, abreast_avx2, has_avx2, true},
#elif defined(__aarch64__)
    {{&codelets_neon_f32, &codelets_neon_f64}, BASIC, &machine_basic, mirrors_basic, sums_basic,
     matrices_basic, factors_basic, resample_basic, odd_basic, abreast_basic, always, false},
#endif
    {{&codelets_scalar_f32, &codelets_scalar_f64}, BASIC, &machine_basic, mirrors_basic,
     sums_basic, matrices_basic, factors_basic, resample_basic, odd_basic, abreast_basic, always,
     false},
};

#define CANDIDATES (sizeof candidates / sizeof candidates[0])
_Static_assert(CANDIDATES <= CPU_MAX_SETS, "all of them may be taken");

static weft_status refuse(const char *wanted)
{
    return error_set(WEFT_ERROR_DEVICE,
                     "WEFT_ISA=%s: no such instruction set in this processor or build; "
                     "accepted: avx512, avx2, sse2 (x86-64), neon (aarch64), scalar",
                     wanted);
}

weft_status cpu_sets_find(struct cpu_sets *sets)
{
    const char *wanted = getenv("WEFT_ISA");
    if (wanted && !*wanted) wanted = NULL;
    bool taking = wanted == NULL, fused = wanted == NULL;
    memset(sets, 0, sizeof *sets);
    sets->halved = halves_vectors();
    for (size_t i = 0; i < CANDIDATES; i++) {
        if (!candidates[i].available()) continue;
        const bool named = wanted && strcmp(wanted, candidates[i].set[0]->isa) == 0;
        if (named && !candidates[i].narrow) taking = true;
        if (!taking || (candidates[i].narrow && !fused)) continue;
        fused = fused || candidates[i].available != always;
        if (!sets->extended) sets->extended = candidates[i].extended;
        if (!sets->mirrors) sets->mirrors = candidates[i].mirrors;
        if (!sets->sums) sets->sums = candidates[i].sums;
        if (!sets->matrices) sets->matrices = candidates[i].matrices;
        if (!sets->factors) sets->factors = candidates[i].factors;
        if (!sets->resample) sets->resample = candidates[i].resample;
        if (!sets->odd) sets->odd = candidates[i].odd;
        if (!sets->abreast) sets->abreast = candidates[i].abreast;
        for (int p = 0; p < 2; p++) {
            if (!sets->general[p]) sets->general[p] = candidates[i].general[p];
            sets->set[p][sets->count[p]++] = candidates[i].set[p];
        }
    }
    return taking ? WEFT_OK : refuse(wanted);
}

/* Narrower vectors have fewer registers, and no fused operations on x86. */
#define WIDE_BYTES 32

/* Whether fewer lanes than the set's vectors have are one of these, by masks, by halves or one leg
 * after the other. (Experiments "narrow", "few columns of cores" and "in turn" in
 * docs/experiments.) */
static bool takes_fewer(const struct codelet_set *set, int real_bytes, enum codelet_kind kind,
                        int radix, struct cpu_run run)
{
    const bool halves = codelet_is_by_core(set, kind, radix);
    if (halves && run.lanes >= codelet_least_of_core(set, real_bytes)) return true;
    if (codelet_in_turn(set, kind)) return run.goes_on;
    if (!codelet_is_narrow(set, kind, radix) || 2 * run.lanes < set->lanes) return false;
    return kind != CODELET_OPEN || run.plane >= (int64_t)radix * set->lanes;
}

const struct codelet_set *cpu_sets_best(const struct cpu_sets *sets, weft_precision precision,
                                        enum codelet_kind kind, int radix, struct cpu_run run)
{
    const int real_bytes = precision_bytes(precision), least = WIDE_BYTES / real_bytes;
    const struct codelet_set *best = NULL;
    int64_t fewest = INT64_MAX;
    for (int i = 0; i < sets->count[precision]; i++) {
        const struct codelet_set *set = sets->set[precision][i];
        if (!set->function[kind][radix]) continue;
        const bool few = set->lanes > run.lanes;
        if (few && !takes_fewer(set, real_bytes, kind, radix, run)) continue;
        const int64_t vectors = (run.lanes + set->lanes - 1) / set->lanes;
        if (vectors > fewest || (best && set->lanes == best->lanes)) continue;
        if (vectors == fewest && set->lanes < least) continue;
        fewest = vectors;
        best = set;
    }
    return best;
}

const struct cpu_general *cpu_general_of(const struct kernel *kernel)
{
    return kernel->sets->general[kernel->precision];
}
