/* Factoring and arithmetic modulo n, for sizes to 2^62. */
#ifndef WEFT_MATH_FACTOR_H
#define WEFT_MATH_FACTOR_H

#include <stdbool.h>
#include <stdint.h>

/* The prime factors of n >= 1 in rising order, with repetition: at most 62. Pollard's rho above the
 * reach of trial division. */
struct factors {
    int count;
    int64_t prime[62];
};

struct factors factor(int64_t n);
bool is_prime(int64_t n); /* deterministic Miller-Rabin */
int64_t largest_prime_factor(int64_t n);
/* True if every prime factor of n is at most `prime`. */
bool is_smooth(int64_t n, int64_t prime);
/* The least m >= n whose prime factors are all at most `prime` (>= 2). Some 20 us for primes to 13,
 * milliseconds for n near 2^40 and primes to 31; slow where n is above 2^50 and `prime` between 40
 * and 1000. */
int64_t next_smooth(int64_t n, int64_t prime);

int64_t gcd(int64_t a, int64_t b);
uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t modulus); /* 128-bit product */
/* A fixed factor modulo a fixed modulus below 2^63, multiplied with without a division (Shoup). */
struct multiplier {
    uint64_t factor, modulus;
    uint64_t share; /* factor 2^64 / modulus, rounded down */
};
struct multiplier multiplier_of(uint64_t factor, uint64_t modulus);
uint64_t multiplier_apply(const struct multiplier *multiplier, uint64_t a); /* a < modulus */
uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus);
/* The inverse of a modulo a coprime modulus. */
uint64_t inverse_mod(uint64_t a, uint64_t modulus);
/* The least generator of the multiplicative group modulo the odd prime p (1 for p = 2). */
int64_t primitive_root(int64_t p);

#endif
