#include "base/storage.h"

#include <math.h>
#include <string.h>

/* One row a type: halves have a fraction and an exponent of so many bits, integers a range. */
static const struct {
    int bytes, fraction, exponent;
    double least, most;
} types[STORAGE_COUNT] = {
    [WEFT_STORED_F16] = {2, 10, 5, 0, 0},
    [WEFT_STORED_BF16] = {2, 7, 8, 0, 0},
    [WEFT_STORED_F32] = {4, 0, 0, 0, 0},
    [WEFT_STORED_F64] = {8, 0, 0, 0, 0},
    [WEFT_STORED_U8] = {1, 0, 0, 0, UINT8_MAX},
    [WEFT_STORED_I8] = {1, 0, 0, INT8_MIN, INT8_MAX},
    [WEFT_STORED_U16] = {2, 0, 0, 0, UINT16_MAX},
    [WEFT_STORED_I16] = {2, 0, 0, INT16_MIN, INT16_MAX},
};

const char *const storage_names[STORAGE_COUNT] = {"as computed", "f16", "bf16", "f32", "f64",
                                                  "u8",          "i8",  "u16",  "i16"};

int storage_bytes(weft_storage storage)
{
    return types[storage].bytes;
}

weft_storage storage_of_precision(weft_precision precision)
{
    static const weft_storage of[WEFT_DD + 1] = {[WEFT_F32] = WEFT_STORED_F32,
                                      [WEFT_F64] = WEFT_STORED_F64,
                                      [WEFT_F16] = WEFT_STORED_F16,
                                      [WEFT_BF16] = WEFT_STORED_BF16};
    return of[precision];
}

/* ---- halves ---- */

static double half_value(weft_storage storage, uint16_t bits)
{
    const int fraction = types[storage].fraction, largest = (1 << types[storage].exponent) - 1;
    const int bias = largest / 2, exponent = bits >> fraction & largest;
    const int digits = bits & ((1 << fraction) - 1);
    double magnitude =
        ldexp(digits + (exponent ? 1 << fraction : 0), (exponent ? exponent : 1) - bias - fraction);
    if (exponent == largest) magnitude = digits ? NAN : INFINITY;
    return bits >> 15 ? -magnitude : magnitude;
}

/* A magnitude counted in units of the last place; a carry out of the fraction is right in the
 * exponent, and at last infinity. */
static uint16_t half_bits(weft_storage storage, double value)
{
    const int fraction = types[storage].fraction, largest = (1 << types[storage].exponent) - 1;
    const int bias = largest / 2, infinity = largest << fraction;
    const int sign = signbit(value) ? 1 << 15 : 0;
    if (isnan(value)) return (uint16_t)(sign | infinity | 1 << (fraction - 1));
    const double magnitude = fabs(value);
    if (magnitude >= ldexp(1, bias + 1)) return (uint16_t)(sign | infinity);
    int exponent = magnitude > 0 ? ilogb(magnitude) : 1 - bias;
    if (exponent < 1 - bias) exponent = 1 - bias;
    const int units = (int)nearbyint(ldexp(magnitude, fraction - exponent));
    return (uint16_t)(sign | (((exponent + bias - 1) << fraction) + units));
}

/* ---- integers ---- */

static int whole(weft_storage storage, double value)
{
    if (isnan(value)) return 0;
    if (value < types[storage].least) return (int)types[storage].least;
    if (value > types[storage].most) return (int)types[storage].most;
    return (int)nearbyint(value);
}

/* ---- all ---- */

/* A number of any type. */
union number {
    float f32;
    double f64;
    uint16_t bits;
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
};

double storage_read(weft_storage storage, const void *array, int64_t index)
{
    const size_t bytes = (size_t)storage_bytes(storage);
    union number n;
    memcpy(&n, (const char *)array + index * (int64_t)bytes, bytes);
    switch (storage) {
    case WEFT_STORED_F32:
        return (double)n.f32;
    case WEFT_STORED_F64:
        return n.f64;
    case WEFT_STORED_U8:
        return n.u8;
    case WEFT_STORED_I8:
        return n.i8;
    case WEFT_STORED_U16:
        return n.u16;
    case WEFT_STORED_I16:
        return n.i16;
    default:
        return half_value(storage, n.bits);
    }
}

void storage_write(weft_storage storage, void *array, int64_t index, double value)
{
    const size_t bytes = (size_t)storage_bytes(storage);
    union number n;
    switch (storage) {
    case WEFT_STORED_F32:
        n.f32 = (float)value;
        break;
    case WEFT_STORED_F64:
        n.f64 = value;
        break;
    case WEFT_STORED_U8:
        n.u8 = (uint8_t)whole(storage, value);
        break;
    case WEFT_STORED_I8:
        n.i8 = (int8_t)whole(storage, value);
        break;
    case WEFT_STORED_U16:
        n.u16 = (uint16_t)whole(storage, value);
        break;
    case WEFT_STORED_I16:
        n.i16 = (int16_t)whole(storage, value);
        break;
    default:
        n.bits = half_bits(storage, value);
        break;
    }
    memcpy((char *)array + index * (int64_t)bytes, &n, bytes);
}
