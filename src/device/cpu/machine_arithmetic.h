/* The arithmetic of the machine (machine.h), compiled once for every kind of processor under the
 * name MACHINE_ARITHMETIC. */
#include "device/cpu/machine.h"
#include "math/extended.h"

/* On registers whose lanes are a multiple of MACHINE_LANES, which compilers are to know. */
#define EACH_LANE(i, lanes) for (int i = 0; i < (lanes) / MACHINE_LANES * MACHINE_LANES; i++)

static void add(double *restrict to, const double *a, const double *b, int lanes)
{
    EACH_LANE(i, lanes) {
        const struct extended x = {a[i], a[lanes + i]}, y = {b[i], b[lanes + i]};
        const struct extended sum = extended_add(x, y);
        to[i] = sum.hi;
        to[lanes + i] = sum.lo;
    }
}

static void subtract(double *restrict to, const double *a, const double *b, int lanes)
{
    EACH_LANE(i, lanes) {
        const struct extended x = {a[i], a[lanes + i]}, y = {-b[i], -b[lanes + i]};
        const struct extended difference = extended_add(x, y);
        to[i] = difference.hi;
        to[lanes + i] = difference.lo;
    }
}

static void multiply(double *restrict to, const double *a, const double *b, int lanes)
{
    EACH_LANE(i, lanes) {
        const struct extended x = {a[i], a[lanes + i]}, y = {b[i], b[lanes + i]};
        const struct extended product = extended_multiply(x, y);
        to[i] = product.hi;
        to[lanes + i] = product.lo;
    }
}

const struct machine_arithmetic MACHINE_ARITHMETIC = {add, subtract, multiply};
