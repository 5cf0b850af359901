#include "sums.h"

#include "math/factor.h"
#include "math/roots.h"

/* Above, straight-line code is long and its values overflow the registers anyway. */
#define LARGEST_WRITTEN_OUT 19

bool sums_suit(int radix)
{
    return radix > LARGEST_WRITTEN_OUT && is_prime(radix);
}

static void print_real(struct text *t, bool single, double value)
{
    text_real(t, single ? (double)(float)value : value);
    text_append(t, ", ");
}

/* With j and k as powers g^a and g^b of a generator, j k is g^(a + b): results that follow one
 * another take roots that do, and none but p - 1 are needed. (Rader 1968) */
void sums_print(struct text *t, bool single, int radix)
{
    const int generator = (int)primitive_root(radix);
    const char *precision = single ? "f32" : "f64", *real = single ? "float" : "double";
    text_append(t, "static const %s cosines_%d[] = {", real, radix);
    for (int i = 0, k = 1; i < radix - 1; i++, k = k * generator % radix)
        print_real(t, single, root_extended(k, radix).re.hi);
    text_append(t, "};\nstatic const %s sines_%d[] = {", real, radix);
    for (int i = 0, k = 1; i < radix - 1; i++, k = k * generator % radix)
        print_real(t, single, -root_extended(k, radix).im.hi);
    text_append(t, "};\nconst struct codelet_core codelet_sums_%s_core_%d = {.radix = %d, ",
                precision, radix, radix);
    text_append(t, ".cosines = cosines_%d, .sines = sines_%d,\n.power = {", radix, radix);
    for (int i = 0, k = 1; 2 * i < radix - 1; i++, k = k * generator % radix)
        text_append(t, "%d, ", k);
    text_append(t, "},\n.place = {");
    for (int i = 0; i < 2 * radix; i++)
        text_append(t, "%d, ", i);
    text_append(t, "}};\n");
}
