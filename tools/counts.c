#include "counts.h"

#include <stdio.h>

#include "base/arena.h"
#include "kernel/butterfly.h"

/* As processors with fused multiply-adds have it. */
void counts_print(const char *name, const struct ir *kernel)
{
    arena *a = arena_create();
    const struct ir *fused = a ? ir_form_fma(a, kernel) : NULL;
    const struct ir_counts c = ir_count(fused ? fused : kernel);
    printf("%-24s %4d adds %4d multiplies %4d fmas %3d negations %4d loads %4d stores\n", name,
           c.adds, c.multiplies, c.fmas, c.negations, c.loads, c.stores);
    arena_destroy(&a);
}

/* The plain butterfly is the part of a codelet that does not depend on its kind. */
bool counts_print_butterfly(int radix)
{
    struct ir_complex x[COUNTS_MOST];
    char name[32];
    arena *a = arena_create();
    struct ir_builder *b = a ? ir_begin(a, "butterfly", 1) : NULL;
    int buffer = b ? ir_buffer(b, "x", IR_GLOBAL, true, 0) : 0;
    for (int i = 0; i < 2 * radix && b; i++) {
        ir_value value = ir_load(b, buffer, ir_int(b, i));
        *(i % 2 ? &x[i / 2].im : &x[i / 2].re) = value;
    }
    if (b) butterfly(b, WEFT_F64, radix, x);
    for (int i = 0; i < 2 * radix && b; i++) {
        ir_store(b, buffer, ir_int(b, i), i % 2 ? x[i / 2].im : x[i / 2].re);
    }
    const struct ir *kernel = b ? ir_finish(b) : NULL;
    snprintf(name, sizeof name, "butterfly_%d", radix);
    if (kernel) counts_print(name, kernel);
    arena_destroy(&a);
    return kernel != NULL;
}
