/* GPU kernels, evaluated on the host: every kind of pass against what spec/pass.h says of it. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "device/null/null.h"
#include "kernel/block.h"
#include "support/interpreter.h"
#include "support/passes.h"

static struct random numbers = {1};

/* ---- trials ---- */

static void run(struct device *device, const struct program *program, const double complex *table,
                weft_direction direction, const struct pass_array *in, const struct pass_array *out)
{
    if (pass_run(device, program, table, direction, in, out)) fail_msg("%s", error_last());
}

/* The spectrum that the program's pass multiplies with. */
static double complex *make_table(const struct program *program)
{
    if (!program->tables) return NULL;
    const struct pass *pass = &program->pass[0];
    const int64_t m = program->table[0].m;
    if (pass->body == PASS_RADER) {
        return interpret_table(
            &(struct program_table){.kind = TABLE_RADER_SPECTRUM, .n = pass->line.n, .m = m});
    }
    double complex *table = malloc((size_t)m * sizeof *table);
    for (int64_t q = 0; q < m; q++)
        table[q] = (random_number(&numbers) + I * random_number(&numbers)) / (double)m;
    return table;
}

static void check_direction(struct device *device, const struct program *program,
                            weft_direction direction)
{
    double complex *table = make_table(program);
    struct pass_array in = pass_array_make(&numbers, program, false),
                      out = pass_array_make(&numbers, program, true);
    interpret_pass(program, table, direction, in.exact + in.extent.first,
                   out.exact + out.extent.first);
    run(device, program, table, direction, &in, &out);
    double error = pass_array_error(&out);
    double most = program->problem.precision == WEFT_F32 ? 1e-6 : 2e-14;
    if (!(error < most)) {
        struct text t = TEXT_EMPTY;
        pass_print(&t, &program->pass[0]);
        fail_msg("error %g of %s on %s", error, text_chars(&t), device->limits.name);
    }
    pass_array_free(&in);
    pass_array_free(&out);
    free(table);
}

static const char *const devices[] = {
    "shared=16384,threads=256,simd=16,coalescing=64",
    "shared=49152,threads=1024,simd=32,coalescing=128",
    "shared=65536,threads=256,simd=64,coalescing=64,registers=128",
    "shared=32768,threads=64,simd=32,coalescing=32",
};

static struct program *program_with_table(const struct pass *pass, int64_t table)
{
    struct program *program = pass_program(pass);
    program->problem.scale[0] = 0.5;
    program->problem.scale[1] = 0.25;
    program->tables = table > 0;
    program->table[0].m = table;
    return program;
}

/* Both precisions, formats and directions. */
static void check_on(const char *limits, struct program *program)
{
    struct device device = pass_device_open(limits);
    for (int variant = 0; variant < 4; variant++) {
        program->problem.precision = variant & 1 ? WEFT_F64 : WEFT_F32;
        program->problem.format = variant & 2 ? WEFT_PLANAR : WEFT_INTERLEAVED;
        check_direction(&device, program, variant & 1 ? WEFT_INVERSE : WEFT_FORWARD);
    }
    null_device_ops.close(&device);
}

static void check(const struct pass *pass, int64_t table)
{
    struct program *program = program_with_table(pass, table);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        check_on(devices[d], program);
    free(program);
}

/* ---- passes ---- */

static void contiguous_lines_are_transformed(void **state)
{
    (void)state;
    static const struct {
        int64_t n, lines;
        int radix[5];
    } cases[] = {
        {2, 100, {2}},           {3, 7, {3}},        {16, 37, {16}},          {31, 9, {31}},
        {32, 33, {32}},          {60, 5, {5, 4, 3}}, {64, 70, {8, 8}},        {105, 11, {7, 5, 3}},
        {128, 3, {2, 16, 4}},    {169, 2, {13, 13}}, {1000, 2, {10, 10, 10}}, {1024, 1, {16, 8, 8}},
        {1024, 3, {4, 4, 8, 8}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pass pass = pass_transform(cases[i].n, cases[i].radix);
        pass_add_loop(&pass, cases[i].lines, cases[i].n, cases[i].n);
        pass.scaled = i % 2;
        pass.backward = i % 3 == 1;
        check(&pass, 0);
    }
}

static void a_line_without_loops_is_transformed(void **state)
{
    (void)state;
    struct pass pass = pass_transform(48, RADICES(6, 8));
    check(&pass, 0);
    pass = pass_transform(1, RADICES(0));
    check(&pass, 0);
}

static void columns_are_transformed_and_transposed(void **state)
{
    (void)state;
    struct pass pass = pass_transform(32, RADICES(32));
    pass.line = (struct dim){32, 20, 20};
    pass_add_loop(&pass, 20, 1, 1);
    check(&pass, 0);
    pass = pass_transform(128, RADICES(16, 8));
    pass.line = (struct dim){128, 50, 1};
    pass_add_loop(&pass, 50, 1, 128);
    check(&pass, 0);
    pass = pass_transform(9, RADICES(9));
    pass.line = (struct dim){9, 1, 40};
    pass_add_loop(&pass, 40, 9, 1);
    check(&pass, 0);
}

static void any_strides_will_do(void **state)
{
    (void)state;
    struct pass pass = pass_transform(30, RADICES(5, 6));
    pass.line = (struct dim){30, -3, 70};
    pass_add_loop(&pass, 7, 97, -4);
    pass_add_loop(&pass, 3, 0, 2100);
    pass_add_loop(&pass, 2, -1000, 1);
    check(&pass, 0);
}

static void clusters_share_a_line(void **state)
{
    (void)state;
    struct pass pass = pass_transform(1024, RADICES(8, 16, 8));
    pass.cluster = 4;
    pass_add_loop(&pass, 3, 1024, 1024);
    check(&pass, 0);
    pass.backward = true;
    check(&pass, 0);
    /* turned, with a twiddle; and results that go to a block from all its own threads */
    pass = pass_transform(360, RADICES(6, 5, 12));
    pass.cluster = 6;
    pass.line = (struct dim){360, -2, 5};
    pass_add_loop(&pass, 5, 1000, 1);
    pass.twiddle_order = 360 * 5;
    pass.scaled = true;
    check(&pass, 0);
    pass = pass_transform(4, RADICES(2, 2));
    pass.cluster = 2;
    pass_add_loop(&pass, 7, 4, 4);
    check(&pass, 0);
    pass = pass_transform(625, RADICES(25, 5, 5));
    pass.cluster = 5;
    check(&pass, 0);
    pass = pass_transform(4096, RADICES(8, 4, 4, 32));
    pass.cluster = 8;
    check(&pass, 0);
}

static void splits_turn_their_columns(void **state)
{
    (void)state;
    for (int conjugate = 0; conjugate < 2; conjugate++) {
        struct pass pass = pass_transform(128, RADICES(16, 8));
        pass.line = (struct dim){128, 50, 1};
        pass_add_loop(&pass, 50, 1, 128);
        pass.twiddle_order = 128 * 50;
        pass.twiddle_conjugate = conjugate;
        pass.scaled = true;
        check(&pass, 0);
        pass = pass_transform(12, RADICES(4, 3));
        pass_add_loop(&pass, 5, 60, 60);
        pass_add_loop(&pass, 5, 12, 12);
        pass.twiddle_order = 60;
        pass.twiddle_loop = 1;
        pass.twiddle_conjugate = conjugate;
        check(&pass, 0);
    }
}

static void convolutions_pad_with_zeros_and_multiply(void **state)
{
    (void)state;
    struct pass pass = pass_transform(128, RADICES(16, 8));
    pass.body = PASS_CONVOLUTION;
    pass.line = (struct dim){50, 1, 1};
    pass_add_loop(&pass, 5, 50, 50);
    pass.chirp_n = 50;
    pass.chirp_before = pass.chirp_after = true;
    pass.chirp_map.line = pass.spectrum_map.line = 1;
    check(&pass, 128);
    /* one radix, so that nothing is exchanged */
    pass.length = 16;
    pass.radices = 1;
    pass.radix[0] = 16;
    pass.line.n = pass.chirp_n = 7;
    check(&pass, 16);
    /* a row of a larger convolution */
    pass = pass_transform(24, RADICES(6, 4));
    pass.body = PASS_CONVOLUTION;
    pass_add_loop(&pass, 10, 24, 24);
    pass.spectrum_map.line = 10;
    pass.spectrum_map.loop[0] = 1;
    check(&pass, 240);
    /* rows of several spectra, lines beside each other sharing each */
    pass = pass_transform(20, RADICES(5, 4));
    pass.body = PASS_CONVOLUTION;
    pass_add_loop(&pass, 3, 20, 20);
    pass_add_loop(&pass, 7, 60, 60);
    pass_add_loop(&pass, 2, 420, 420);
    pass.spectrum_map.line = 7;
    pass.spectrum_map.loop[1] = 1;
    pass.spectrum_map.loop[2] = 140;
    check(&pass, 280);
}

/* Of orders so large that roots are products. */
static void rows_of_a_convolution_share_their_twiddles(void **state)
{
    (void)state;
    static const struct {
        int64_t n, rows;
        int radix[5];
    } cases[] = {{64, 80, {8, 8}}, {60, 77, {12, 5}}, {48, 100, {3, 4, 4}}, {16, 300, {16}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t n = cases[i].n, rows = cases[i].rows;
        struct pass pass = pass_transform(n, cases[i].radix);
        pass.body = PASS_CONVOLUTION;
        pass_add_loop(&pass, rows, n, n);
        pass_add_loop(&pass, 2, n * rows, n * rows);
        pass.spectrum_map.line = rows;
        pass.spectrum_map.loop[0] = 1;
        pass.twiddle_order = n * rows;
        pass.twiddle_conjugate = true;
        check(&pass, n * rows);
    }
}

static void the_columns_of_a_large_chirp_convolution_skip_what_is_zero(void **state)
{
    (void)state;
    /* n = 11 in m = 32: 8 rows of 4, the chirp's element is 4 * row + column */
    struct pass pass = pass_transform(8, RADICES(8));
    pass.line = (struct dim){8, 4, 4};
    pass_add_loop(&pass, 4, 1, 1);
    pass.chirp_n = 11;
    pass.chirp_before = true;
    pass.chirp_map.line = 4;
    pass.chirp_map.loop[0] = 1;
    check(&pass, 0);
    pass.chirp_before = false;
    pass.chirp_after = true;
    pass.backward = true;
    check(&pass, 0);
    /* so short that whole columns are zero */
    pass.chirp_n = 3;
    pass.chirp_before = true;
    check(&pass, 0);
}

static void primes_are_transformed_by_rader(void **state)
{
    (void)state;
    static const struct {
        int64_t n, lines;
        int radix[4];
    } cases[] = {{3, 5, {2}},        {7, 40, {6}},       {17, 12, {16}},       {37, 3, {6, 6}},
                 {101, 4, {10, 10}}, {257, 2, {16, 16}}, {1009, 1, {16, 9, 7}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pass pass = pass_transform(cases[i].n - 1, cases[i].radix);
        pass.body = PASS_RADER;
        pass.line = (struct dim){cases[i].n, 1, 1};
        pass_add_loop(&pass, cases[i].lines, cases[i].n, cases[i].n);
        pass.scaled = i % 2;
        check(&pass, cases[i].n - 1);
    }
}

static bool has_loop(const char *limits, const struct program *program)
{
    struct device device = pass_device_open(limits);
    struct block_kernel info;
    arena *a = arena_create();
    const struct ir *kernel =
        block_build(a, program, 0, &device.limits, WEFT_INTERLEAVED, WEFT_INTERLEAVED, &info);
    bool found = false;
    assert_non_null(kernel);
    for (ir_value v = 0; v < kernel->count; v++)
        found |= kernel->node[v].op == IR_FOR;
    arena_destroy(&a);
    null_device_ops.close(&device);
    return found;
}

static void long_convolutions_run_one_piece_of_code_twice(void **state)
{
    (void)state;
    static const char few[] = "shared=65536,threads=4,simd=4,coalescing=32";
    struct pass pass = pass_transform(256, RADICES(4, 2, 8, 4));
    pass.body = PASS_CONVOLUTION;
    pass.line = (struct dim){100, 1, 1};
    pass_add_loop(&pass, 3, 100, 100);
    pass.chirp_n = 100;
    pass.chirp_before = pass.chirp_after = true;
    pass.chirp_map.line = pass.spectrum_map.line = 1;
    struct program *program = program_with_table(&pass, 256);
    assert_true(has_loop(few, program));
    assert_false(has_loop(devices[1], program));
    check_on(few, program);
    check_on(devices[1], program);
    free(program);

    pass = pass_transform(256, RADICES(16, 16));
    pass.body = PASS_RADER;
    pass.line = (struct dim){257, 1, 1};
    pass_add_loop(&pass, 3, 257, 257);
    program = program_with_table(&pass, 256);
    assert_true(has_loop(few, program));
    check_on(few, program);
    free(program);
}

static void rader_along_columns_can_be_turned(void **state)
{
    (void)state;
    struct pass pass = pass_transform(22, RADICES(11, 2));
    pass.body = PASS_RADER;
    pass.line = (struct dim){23, 9, 1};
    pass_add_loop(&pass, 9, 1, 23);
    pass.twiddle_order = 23 * 9;
    check(&pass, 22);
}

static void copies_copy(void **state)
{
    (void)state;
    struct pass pass = {.from = PASS_INPUT,
                        .to = PASS_OUTPUT,
                        .line = {5000, 1, 1},
                        .length = 5000,
                        .body = PASS_COPY,
                        .scaled = true};
    check(&pass, 0);
    pass.line = (struct dim){70, 1, 33};
    pass_add_loop(&pass, 33, 70, 1);
    pass_add_loop(&pass, 2, 2310, 2310);
    check(&pass, 0);
    pass.line = (struct dim){3, -5, 7};
    pass.loop[0] = (struct dim){100, 15, 21};
    pass.loops = 1;
    check(&pass, 0);
}

static void passes_work_in_place(void **state)
{
    (void)state;
    static const struct {
        int64_t n, lines, line_stride, loop_stride;
        int radix[4];
        bool rader;
    } cases[] = {
        {64, 21, 1, 64, {8, 8}, false},  {16, 21, 1, 16, {16}, false}, {16, 21, 21, 1, {16}, false},
        {100, 9, 9, 1, {10, 10}, false}, {5, 33, 1, 5, {4}, true},     {29, 5, 5, 1, {7, 4}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pass pass =
            pass_transform(cases[i].rader ? cases[i].n - 1 : cases[i].n, cases[i].radix);
        pass.line = (struct dim){cases[i].n, cases[i].line_stride, cases[i].line_stride};
        pass_add_loop(&pass, cases[i].lines, cases[i].loop_stride, cases[i].loop_stride);
        if (cases[i].rader) pass.body = PASS_RADER;
        struct program *program = pass_program(&pass);
        program->tables = cases[i].rader;
        program->table[0].m = cases[i].n - 1;
        double complex *table = make_table(program);
        for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
            struct device device = pass_device_open(devices[d]);
            struct pass_array a = pass_array_make(&numbers, program, false);
            interpret_pass(program, table, WEFT_FORWARD, a.exact, a.exact);
            run(&device, program, table, WEFT_FORWARD, &a, &a);
            assert_true(pass_array_error(&a) < 1e-6);
            pass_array_free(&a);
            null_device_ops.close(&device);
        }
        free(table);
        free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_lines_are_transformed),
        cmocka_unit_test(a_line_without_loops_is_transformed),
        cmocka_unit_test(columns_are_transformed_and_transposed),
        cmocka_unit_test(any_strides_will_do),
        cmocka_unit_test(clusters_share_a_line),
        cmocka_unit_test(splits_turn_their_columns),
        cmocka_unit_test(convolutions_pad_with_zeros_and_multiply),
        cmocka_unit_test(rows_of_a_convolution_share_their_twiddles),
        cmocka_unit_test(the_columns_of_a_large_chirp_convolution_skip_what_is_zero),
        cmocka_unit_test(primes_are_transformed_by_rader),
        cmocka_unit_test(long_convolutions_run_one_piece_of_code_twice),
        cmocka_unit_test(rader_along_columns_can_be_turned),
        cmocka_unit_test(copies_copy),
        cmocka_unit_test(passes_work_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
