#include "policy.h"

#include <math.h>
#include <string.h>

/* At 10^5 points; docs/design.md, "Exactness". "Other" devices are GPUs. */
static const double cpu_limit_f32 = 1.8e-7, other_limit_f32 = 2.5e-7;
static const double cpu_limit_f64 = 3.3e-16, other_limit_f64 = 5e-16;

static const double limit_dd = 1e-31; /* 1e-29 is asked for */

/* Results of random data are off by 2.1e-4, which is what rounding them comes to; 2^-10 is asked
 * for. A bfloat16 has 3 bits less. */
static const double limit_f16 = 2.5e-4, limit_bf16 = 8 * 2.5e-4;

static const double limit_points = 1e5;

/* Odd radices round more often than their share of log2 N: FFTW's own errors at powers of 3 in
 * double and of 5 in single precision lie up to 8 % above its curve for powers of two. */
static const double odd_factor = 1.08;

/* Rader's and Bluestein's algorithms transform twice. */
static const double large_prime_factor = 2.0;

/* Below so many points a handful of roundings decides, not their root mean square. */
static const double fewest_points = 16.0;

static bool is_smooth(int64_t n)
{
    for (int prime = 2; prime <= POLICY_LARGEST_SMOOTH_PRIME; prime++)
        while (n % prime == 0)
            n /= prime;
    return n == 1;
}

bool policy_is_smooth(int rank, const int64_t *size)
{
    for (int i = 0; i < rank; i++)
        if (!is_smooth(size[i])) return false;
    return true;
}

int64_t policy_length(weft_kind kind, int64_t n)
{
    if (kind == WEFT_DCT1) return n > 2 ? n - 1 : n; /* of 2: a sum, a difference and factors */
    return kind == WEFT_DST1 ? n + 1 : n;
}

static bool is_cpu(const char *device)
{
    return !device || strncmp(device, "cpu", 3) == 0;
}

/* The limit at 10^5 points carried over to these sizes: rounding errors add up as a random walk
 * over the log2 N levels of a transform. */
static double carry_over(double limit, int rank, const int64_t *size)
{
    double points = 1.0;
    bool odd = false;
    for (int i = 0; i < rank; i++) {
        points *= (double)size[i];
        odd = odd || (size[i] & (size[i] - 1)) != 0;
    }
    double growth = sqrt(log2(fmax(points, fewest_points)) / log2(limit_points));
    if (odd) growth *= odd_factor;
    return limit * growth * (policy_is_smooth(rank, size) ? 1.0 : large_prime_factor);
}

double policy_limit_f32(const char *device, int rank, const int64_t *size)
{
    return carry_over(is_cpu(device) ? cpu_limit_f32 : other_limit_f32, rank, size);
}

double policy_limit_f64(const char *device, int rank, const int64_t *size)
{
    return carry_over(is_cpu(device) ? cpu_limit_f64 : other_limit_f64, rank, size);
}

double policy_limit_f16(const char *device, int rank, const int64_t *size)
{
    (void)device, (void)rank, (void)size;
    return limit_f16;
}

double policy_limit_bf16(const char *device, int rank, const int64_t *size)
{
    (void)device, (void)rank, (void)size;
    return limit_bf16;
}

double policy_limit_dd(const char *device, int rank, const int64_t *size)
{
    (void)device;
    return carry_over(limit_dd, rank, size);
}
