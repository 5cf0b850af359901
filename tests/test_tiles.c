/* What a GPU's tile is worth by the model: how its share of the bandwidth answers to where a tile's
 * numbers lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spec/block_tile.h"
#include "support/passes.h"

enum { LINES = 4096, LENGTH = 512 };

/* Of a tile of so many of the pass's lines. */
static double share_of(struct pass pass, int64_t columns)
{
    struct limits limits;
    struct block_tile tile;
    limits_default_gpu(&limits);
    pass.columns = columns;
    assert_true(block_tile_choose(&pass, WEFT_F32, &limits, INT64_MAX, &tile));
    assert_int_equal(tile.columns, columns);
    return tile.share;
}

/* Lines that are read in their order, and whose numbers are written so far apart. */
static struct pass rows(int64_t apart)
{
    struct pass pass = pass_transform(LENGTH, RADICES(8, 8, 8));
    pass.line.out_stride = apart;
    pass_add_loop(&pass, LINES, LENGTH, 1);
    return pass;
}

/* Lines whose numbers are so far apart at either end. */
static struct pass columns(int64_t apart)
{
    struct pass pass = pass_transform(LENGTH, RADICES(8, 8, 8));
    pass.line.in_stride = pass.line.out_stride = apart;
    pass_add_loop(&pass, LINES, 1, 1);
    return pass;
}

/* What it costs that runs of such tiles begin within sectors. */
static double cut(struct pass (*lines)(int64_t), int64_t in_tile)
{
    return share_of(lines(8000), in_tile) / share_of(lines(8001), in_tile);
}

/* Four numbers of eight bytes are a sector, four sectors a transaction. */
static void runs_that_begin_within_sectors_cost_more_the_shorter_they_are(void **state)
{
    (void)state;
    assert_true(cut(rows, 4) > 1.5);
    assert_true(cut(rows, 8) > 1.4 && cut(rows, 8) < cut(rows, 4));
    assert_true(cut(rows, 4) < 2.5);
    assert_true(cut(columns, 8) > 1.1 && cut(columns, 8) < cut(rows, 8));
    assert_true(share_of(rows(8000), 8) / share_of(rows(8004), 8) < 1.1);
}

static void one_spectrum_for_all_lines_is_read_sooner(void **state)
{
    (void)state;
    struct pass pass = pass_transform(LENGTH, RADICES(8, 8, 8));
    pass_add_loop(&pass, LINES, LENGTH, LENGTH);
    const double transform = share_of(pass, 1);
    pass.body = PASS_CONVOLUTION;
    const double shared = share_of(pass, 1);
    pass.spectrum_map.loop[0] = LENGTH;
    const double own = share_of(pass, 1);
    assert_true(transform > shared && shared > own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_that_begin_within_sectors_cost_more_the_shorter_they_are),
        cmocka_unit_test(one_spectrum_for_all_lines_is_read_sooner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
