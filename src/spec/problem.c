#include "spec/problem.h"

#include <inttypes.h>

int64_t problem_elements(const struct problem *p)
{
    int64_t elements = 1;
    for (int i = 0; i < p->axes; i++)
        elements *= p->axis[i].n;
    for (int i = 0; i < p->loops; i++)
        elements *= p->loop[i].n;
    return elements;
}

int precision_bytes(weft_precision precision)
{
    return precision == WEFT_F64 ? 8 : 4;
}

/* "1000:1009:1009x1009:1:1" */
static void print_dims(struct text *t, int count, const struct dim *dim)
{
    for (int i = 0; i < count; i++) {
        text_append(t, "%s%" PRId64 ":%" PRId64 ":%" PRId64, i ? "x" : "", dim[i].n,
                    dim[i].in_stride, dim[i].out_stride);
    }
}

void problem_print(struct text *t, const struct problem *p)
{
    static const char *const precision[] = {"f32", "f64"};
    static const char *const format[] = {"interleaved", "planar"};
    text_append(t, "c2c %s %s ", precision[p->precision], format[p->format]);
    print_dims(t, p->axes, p->axis);
    if (p->axes == 0) text_append(t, "copy");
    if (p->loops > 0) {
        text_append(t, " batch ");
        print_dims(t, p->loops, p->loop);
    }
    text_append(t, " scale ");
    text_real(t, p->scale[WEFT_FORWARD]);
    text_append(t, ":");
    text_real(t, p->scale[WEFT_INVERSE]);
    text_append(t, " threads %d", p->threads);
}
