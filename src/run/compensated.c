#include "run/compensated.h"

#include "math/factor.h"
#include "run/compensated_steps.h"
#include "spec/limits.h"

/* Above, plans would take more than half as long again, and FFTW is less exact there anyway.
 * (Experiment "spectra" in docs/experiments.) */
#define LONGEST 8192

bool compensated_suits(int64_t n)
{
    return n <= LONGEST && is_smooth(n, LIMITS_MAX_RADIX);
}

static void run(struct compensated *t)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        compensated_run_fma(t);
        return;
    }
#endif
    compensated_run_basic(t);
}

size_t compensated_bytes(int64_t n)
{
    return 2 * (size_t)n * sizeof(struct number) +
           (size_t)compensated_roots(n) * sizeof(struct extended_root);
}

void compensated_transform(int64_t n, const struct extended *in_re, const struct extended *in_im,
                           double *out_re, double *out_im, void *memory)
{
    struct compensated t = {.n = n, .from = memory, .roots = compensated_roots(n)};
    t.to = t.from + n;
    t.root = (struct extended_root *)(void *)(t.to + n);
    roots_list(n, 0, 1, t.roots, t.root);
    for (int64_t j = 0; j < n; j++)
        t.from[j] = (struct number){{in_re[j].hi, in_im[j].hi}, {in_re[j].lo, in_im[j].lo}};
    run(&t);
    for (int64_t k = 0; k < n; k++) {
        const parts rounded = t.from[k].hi + t.from[k].lo;
        out_re[k] = rounded[0];
        out_im[k] = rounded[1];
    }
}
