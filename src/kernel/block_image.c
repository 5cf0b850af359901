#include "kernel/block_image.h"

#include "kernel/block_corners.h"
#include "kernel/block_state.h"

static int64_t butterflies_of_row(const struct pass *pass)
{
    return (pass->line.n + 1) / 2;
}

int64_t block_image_butterflies(const struct pass *pass)
{
    if (pass_reflects(pass)) return block_corner_butterflies(pass);
    return pass->length / pass->line.n * butterflies_of_row(pass);
}

static int64_t mirrored_row(const struct pass *pass, int64_t row)
{
    int64_t mirrored = 0, rows = 1;
    for (int i = 0; i < pass->folds; i++) {
        const int64_t n = pass->fold[i].dim.n;
        mirrored += (n - row / rows % n) % n * rows;
        rows *= n;
    }
    return mirrored;
}

int64_t block_image_first(const struct pass *pass, int64_t butterfly)
{
    if (pass_reflects(pass)) return block_corner_first(pass, butterfly);
    const int64_t h = pass->line.n, row = butterfly / butterflies_of_row(pass);
    const int64_t number = butterfly % butterflies_of_row(pass);
    const bool latter = number == 0 && h % 2 == 0 && mirrored_row(pass, row) < row;
    return row * h + (latter ? h / 2 : number);
}

int64_t block_image_mirror(const struct pass *pass, int64_t place, int bits)
{
    if (pass_reflects(pass)) return block_corner_mirror(pass, place, bits);
    const int64_t h = pass->line.n, row = place / h, number = place % h;
    const int64_t other = mirrored_row(pass, row);
    if (other == row && number == 0) return row * h + (h % 2 ? 0 : h / 2);
    return other * h + (h - number) % h;
}

static ir_value mirrored_row_of(struct block *k, ir_value row)
{
    struct ir_builder *b = k->b;
    ir_value mirrored = ir_int(b, 0);
    int64_t rows = 1;
    for (int i = 0; i < k->pass->folds; i++) {
        ir_value n = ir_int(b, k->pass->fold[i].dim.n);
        ir_value digit = ir_int_mod(b, ir_int_div(b, row, ir_int(b, rows)), n);
        digit = ir_int_mod(b, ir_int_sub(b, n, digit), n);
        mirrored = ir_int_add(b, mirrored, ir_int_mul(b, digit, ir_int(b, rows)));
        rows *= k->pass->fold[i].dim.n;
    }
    return mirrored;
}

struct block_image_spot block_image_spot(struct block *k, ir_value butterfly)
{
    struct ir_builder *b = k->b;
    const int64_t n = k->pass->line.n;
    ir_value h = ir_int(b, n), count = ir_int(b, butterflies_of_row(k->pass)), zero = ir_int(b, 0);
    ir_value middle = ir_int(b, n % 2 ? 0 : n / 2);
    ir_value row = ir_int_div(b, butterfly, count), other = mirrored_row_of(k, row);
    ir_value within = ir_int_mod(b, butterfly, count), first = ir_equal(b, within, zero);
    ir_value latter = ir_and(b, first, ir_less(b, other, row));
    ir_value alone = ir_and(b, first, ir_equal(b, other, row));
    ir_value former_or_alone = ir_less(b, row, ir_int_add(b, other, ir_int(b, 1)));
    ir_value number = ir_select(b, latter, middle, within);
    ir_value mirror = ir_int_mod(b, ir_int_sub(b, h, number), h);
    return (struct block_image_spot){
        .row = ir_int_mul(b, row, h),
        .other = ir_int_mul(b, other, h),
        .number = number,
        .mirror = ir_select(b, alone, middle, mirror),
        .first = first,
        .alone = alone,
        .former = ir_and(b, first, ir_less(b, row, other)),
        .busy = ir_or(b, ir_less(b, zero, within), former_or_alone),
    };
}
