#include "float16.h"

#include <math.h>
#include <string.h>

/* IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
enum { FRACTION_BITS = 10, HIDDEN = 1 << FRACTION_BITS, LARGEST_EXPONENT = 31 };

double float16_half(uint16_t bits)
{
    int exponent = bits >> FRACTION_BITS & LARGEST_EXPONENT;
    int fraction = bits & (HIDDEN - 1);
    double magnitude;
    if (exponent == LARGEST_EXPONENT) {
        magnitude = fraction ? NAN : INFINITY;
    } else {
        int hidden = exponent ? HIDDEN : 0;
        magnitude = ldexp(hidden + fraction, (exponent ? exponent : 1) - 25);
    }
    return bits >> 15 ? -magnitude : magnitude;
}

uint16_t float16_half_bits(double number)
{
    int exponent;
    const double mantissa = frexp(fabs(number), &exponent); /* in [1/2, 1), or 0 */
    const int sign = signbit(number) ? 1 << 15 : 0;
    if (mantissa == 0) return (uint16_t)sign;
    const int fraction = (int)(mantissa * (2 * HIDDEN)) - HIDDEN;
    return (uint16_t)(sign | (exponent + 14) << FRACTION_BITS | fraction);
}

double float16_bfloat(uint16_t bits)
{
    const uint32_t whole = (uint32_t)bits << 16;
    float number;
    memcpy(&number, &whole, sizeof number);
    return number;
}

uint16_t float16_bfloat_bits(double number)
{
    const float single = (float)number;
    uint32_t whole;
    memcpy(&whole, &single, sizeof whole);
    return (uint16_t)(whole >> 16);
}
