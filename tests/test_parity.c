/* Bluestein's convolution in two halves, one of either parity (device/cpu/parity.h), and as columns
 * and rows, which take half a spectrum from both its ends (device/cpu/spectrum.h), against the same
 * by one transform of all its length: by every instruction set, wherever lines lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/two_trees.h"

static void halves_of_a_convolution_are_as_good_as_the_whole(void **state)
{
    (void)state;
    static const struct two_trees shapes[] = {
        {5, {"bluestein(5: block(10: 2.5))",
             "bluestein(5: block(10: 5.2))"}},
        {37, {"bluestein(37: block(80: 2.5.8))",
             "bluestein(37: block(80: 8.5.2))"}},
        {61, {"bluestein(61: block(128: 2.16.4))",
             "bluestein(61: block(128: 16.4.2))"}},
        {127, {"bluestein(127: block(256: 2.16.8))",
             "bluestein(127: block(256: 16.8.2))"}},
        {509, {"bluestein(509: block(1024: 2.16.16.2))",
             "bluestein(509: block(1024: 16.16.2.2))"}},
        {607, {"bluestein(607: block(1260: 2.7.10.9))",
             "bluestein(607: block(1260: 7.10.9.2))"}},
        {1021, {"bluestein(1021: block(2048: 2.16.8.8))",
             "bluestein(1021: block(2048: 16.8.16))"}},
    };
    two_trees_compare(sizeof shapes / sizeof *shapes, shapes);
}

static void columns_and_rows_of_one_are_too(void **state)
{
    (void)state;
    static const struct two_trees shapes[] = {
        {5, {"bluestein(5: split(10: block(2: 2), block(5: 5)))",
             "bluestein(5: block(10: 5.2))"}},
        {37, {"bluestein(37: split(80: block(5: 5), block(16: 16)))",
             "bluestein(37: block(80: 8.5.2))"}},
        {61, {"bluestein(61: split(128: block(8: 8), block(16: 4.4)))",
             "bluestein(61: block(128: 16.4.2))"}},
        {509, {"bluestein(509: split(1024: block(4: 4), block(256: 16.16)))",
             "bluestein(509: block(1024: 16.16.2.2))"}},
        {607, {"bluestein(607: split(1260: block(9: 9), block(140: 10.7.2)))",
             "bluestein(607: block(1260: 7.10.9.2))"}},
        {1021, {"bluestein(1021: split(2048: block(8: 8), split(256: block(4: 4), "
             "block(64: 16.4))))",
             "bluestein(1021: block(2048: 16.8.16))"}},
        {2039, {"bluestein(2039: split(4095: block(3: 3), block(1365: 15.13.7)))",
             "bluestein(2039: block(4095: 15.13.7.3))"}},
    };
    two_trees_compare(sizeof shapes / sizeof *shapes, shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_a_convolution_are_as_good_as_the_whole),
        cmocka_unit_test(columns_and_rows_of_one_are_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
