#include <assert.h>

#include "math/factor.h"

__extension__ typedef unsigned __int128 uint128;

int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t product;
    if (!__builtin_mul_overflow(a, b, &product)) return product % modulus;
    return (uint64_t)((uint128)a * b % modulus);
}

struct multiplier multiplier_of(uint64_t factor, uint64_t modulus)
{
    factor %= modulus;
    return (struct multiplier){factor, modulus, (uint64_t)(((uint128)factor << 64) / modulus)};
}

uint64_t multiplier_apply(const struct multiplier *multiplier, uint64_t a)
{
    /* The quotient is right or too small by one. */
    uint64_t quotient = (uint64_t)((uint128)a * multiplier->share >> 64);
    uint64_t rest = a * multiplier->factor - quotient * multiplier->modulus;
    return rest >= multiplier->modulus ? rest - multiplier->modulus : rest;
}

uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t power = 1 % modulus;
    uint64_t square = base % modulus;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) power = multiply_mod(power, square, modulus);
        square = multiply_mod(square, square, modulus);
    }
    return power;
}

uint64_t inverse_mod(uint64_t a, uint64_t modulus)
{
    /* Euclid's algorithm; always before = factor_before * a modulo the modulus, likewise now. */
    uint64_t before = modulus, now = a % modulus;
    uint64_t factor_before = 0, factor_now = 1 % modulus;
    while (now > 0) {
        uint64_t quotient = before / now;
        uint64_t rest = before % now;
        uint64_t product = multiply_mod(quotient % modulus, factor_now, modulus);
        uint64_t factor = factor_before >= product ? factor_before - product
                                                   : factor_before + (modulus - product);
        before = now;
        now = rest;
        factor_before = factor_now;
        factor_now = factor;
    }
    assert(before == 1);
    return factor_before % modulus;
}

/* True if g is no power of degree `prime` for any prime factor of p - 1. */
static bool generates(uint64_t g, uint64_t p, const struct factors *f)
{
    for (int i = 0; i < f->count; i++) {
        if (power_mod(g, (p - 1) / (uint64_t)f->prime[i], p) == 1) return false;
    }
    return true;
}

int64_t primitive_root(int64_t p)
{
    struct factors f = factor(p - 1);
    int64_t g = 1;
    while (!generates((uint64_t)g, (uint64_t)p, &f))
        g++;
    return g;
}
