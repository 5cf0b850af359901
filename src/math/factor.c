#include "math/factor.h"

#include <stddef.h>

/* Trial division goes up to here; what is left and below its square is prime. */
#define TRIAL_LIMIT 1024
/* Steps of Pollard's rho between two gcds. */
#define RHO_BATCH 128
/* How far next_smooth looks number by number before it enumerates smooth numbers. */
#define SCAN_LENGTH 256

/* n - 1 = odd * 2^twos. False if `base` proves n composite. */
static bool passes_miller_rabin(uint64_t n, uint64_t base, uint64_t odd, int twos)
{
    uint64_t x = power_mod(base, odd, n);
    if (x == 1 || x == n - 1) return true;
    for (int i = 1; i < twos; i++) {
        x = multiply_mod(x, x, n);
        if (x == n - 1) return true;
    }
    return false;
}

bool is_prime(int64_t n)
{
    /* These bases decide all n below 3.1 * 10^23 (Sorenson and Webster, 2015). */
    static const int bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const size_t count = sizeof bases / sizeof *bases;
    if (n < 2) return false;
    for (size_t i = 0; i < count; i++) {
        if (n % bases[i] == 0) return n == bases[i];
    }
    int twos = __builtin_ctzll((uint64_t)n - 1);
    uint64_t odd = ((uint64_t)n - 1) >> twos;
    for (size_t i = 0; i < count; i++) {
        if (!passes_miller_rabin((uint64_t)n, (uint64_t)bases[i], odd, twos)) return false;
    }
    return true;
}

static uint64_t rho_step(uint64_t x, uint64_t constant, uint64_t n)
{
    return (multiply_mod(x, x, n) + constant) % n; /* n < 2^62: no overflow */
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* One run of Pollard's rho in Brent's variant ("An improved Monte Carlo factorization algorithm",
 * 1980): a divisor of the composite n, perhaps n itself. */
static int64_t rho_run(uint64_t n, uint64_t constant)
{
    uint64_t x = 2, fixed = 2, batch_start = 2, product = 1;
    int64_t divisor = 1;
    for (int64_t length = 1; divisor == 1; length *= 2) {
        fixed = x;
        for (int64_t i = 0; i < length; i++)
            x = rho_step(x, constant, n);
        for (int64_t done = 0; done < length && divisor == 1; done += RHO_BATCH) {
            batch_start = x;
            for (int64_t i = done; i < length && i < done + RHO_BATCH; i++) {
                x = rho_step(x, constant, n);
                product = multiply_mod(product, distance(fixed, x), n);
            }
            divisor = gcd((int64_t)product, (int64_t)n);
        }
    }
    if (divisor < (int64_t)n) return divisor;
    /* Several factors came up within the batch: go through it singly. */
    do {
        batch_start = rho_step(batch_start, constant, n);
        divisor = gcd((int64_t)distance(fixed, batch_start), (int64_t)n);
    } while (divisor == 1);
    return divisor;
}

/* A proper divisor of the composite n, which has no factor below TRIAL_LIMIT. */
static int64_t find_divisor(int64_t n)
{
    int64_t divisor = n;
    for (uint64_t constant = 1; divisor == n; constant++) {
        divisor = rho_run((uint64_t)n, constant);
    }
    return divisor;
}

static void insert_sorted(struct factors *f, int64_t prime)
{
    int i = f->count++;
    for (; i > 0 && f->prime[i - 1] > prime; i--)
        f->prime[i] = f->prime[i - 1];
    f->prime[i] = prime;
}

/* n has no factor below TRIAL_LIMIT: at most 6 factors, so neither loop nor depth is long. */
static void factor_large(struct factors *f, int64_t n)
{
    if (n == 1) return;
    if (n < (int64_t)TRIAL_LIMIT * TRIAL_LIMIT || is_prime(n)) {
        insert_sorted(f, n);
        return;
    }
    int64_t divisor = find_divisor(n);
    factor_large(f, divisor);
    factor_large(f, n / divisor);
}

struct factors factor(int64_t n)
{
    struct factors f = {0};
    for (int64_t d = 2; d < TRIAL_LIMIT && d * d <= n; d += d == 2 ? 1 : 2) {
        while (n % d == 0) {
            f.prime[f.count++] = d;
            n /= d;
        }
    }
    factor_large(&f, n);
    return f;
}

int64_t largest_prime_factor(int64_t n)
{
    struct factors f = factor(n);
    return f.count > 0 ? f.prime[f.count - 1] : 1;
}

bool is_smooth(int64_t n, int64_t prime)
{
    for (int64_t d = 2; d <= prime && d < TRIAL_LIMIT && n > 1; d += d == 2 ? 1 : 2) {
        while (n % d == 0)
            n /= d;
    }
    if (n <= prime) return true;
    return prime >= TRIAL_LIMIT && largest_prime_factor(n) <= prime;
}

static int64_t next_prime_up_to(int64_t p, int64_t last)
{
    do
        p++;
    while (p <= last && !is_prime(p));
    return p;
}

/* The least number >= n and < best that is `product` times powers of 2 and of the primes from p to
 * last; `best` if there is none. */
static int64_t least_multiple(int64_t product, int64_t p, int64_t last, int64_t n, int64_t best)
{
    if (p > last) {
        while (product < n)
            product *= 2;
        return product < best ? product : best;
    }
    int64_t next = next_prime_up_to(p, last);
    for (;;) {
        best = least_multiple(product, next, last, n, best);
        if (product > (best - 1) / p) return best;
        product *= p;
    }
}

int64_t next_smooth(int64_t n, int64_t prime)
{
    if (n < 1) n = 1;
    for (int64_t m = n; m - n < SCAN_LENGTH; m++) {
        if (is_smooth(m, prime)) return m;
    }
    int64_t power_of_two = 1;
    while (power_of_two < n)
        power_of_two *= 2;
    return least_multiple(1, 3, prime, n, power_of_two);
}
