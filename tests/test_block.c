/* GPU kernels, evaluated on the host: every kind of pass against what spec/pass.h says of it. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/null/null.h"
#include "kernel/block.h"
#include "math/factor.h"

#define LONGEST 8192

/* ---- the reference: one line at a time, by direct sums ---- */

static double complex root(int64_t k, int64_t n)
{
    double angle = -2 * M_PI * (double)(k % n) / (double)n;
    return cos(angle) + I * sin(angle);
}

static double complex chirp(int64_t j, int64_t n)
{
    return root(j * j % (2 * n), 2 * n);
}

static void direct_sum(int64_t n, bool backward, double complex *x)
{
    static double complex w[LONGEST], y[LONGEST];
    assert_true(n <= LONGEST);
    for (int64_t k = 0; k < n; k++) w[k] = backward ? conj(root(k, n)) : root(k, n);
    for (int64_t k = 0; k < n; k++) {
        y[k] = 0;
        for (int64_t j = 0, place = 0; j < n; j++) {
            y[k] += x[j] * w[place];
            place += k;
            if (place >= n) place -= n;
        }
    }
    memcpy(x, y, (size_t)n * sizeof *x);
}

struct line {
    const struct program *program;
    const struct pass *pass;
    int64_t counter[PASS_MAX_LOOPS];
    const double complex *table;
};

static int64_t map_of(const struct line *line, const struct pass_map *map, int64_t element)
{
    int64_t sum = map->line * element;
    for (int l = 0; l < line->pass->loops; l++) sum += map->loop[l] * line->counter[l];
    return sum;
}

static int64_t place_of(const struct line *line, int64_t element, bool out)
{
    const struct pass *pass = line->pass;
    int64_t sum = element * (out ? pass->line.out_stride : pass->line.in_stride);
    for (int l = 0; l < pass->loops; l++) {
        sum += line->counter[l] * (out ? pass->loop[l].out_stride : pass->loop[l].in_stride);
    }
    return sum;
}

static void transform_line(const struct line *line, double complex *x)
{
    const struct pass *pass = line->pass;
    if (pass->body == PASS_TRANSFORM) direct_sum(pass->length, pass->backward, x);
    if (pass->body == PASS_RADER) direct_sum(pass->line.n, false, x);
    if (pass->body != PASS_CONVOLUTION) return;
    direct_sum(pass->length, false, x);
    for (int64_t q = 0; q < pass->length; q++) {
        x[q] *= line->table[map_of(line, &pass->spectrum_map, q)];
    }
    direct_sum(pass->length, true, x);
}

static double complex swapped(double complex x)
{
    return cimag(x) + I * creal(x);
}

static void run_line(const struct line *line, weft_direction direction, const double complex *in,
                     double complex *out)
{
    static double complex x[LONGEST];
    const struct pass *pass = line->pass;
    memset(x, 0, sizeof x);
    for (int64_t e = 0; e < pass->line.n; e++) {
        int64_t m = map_of(line, &pass->chirp_map, e);
        if (pass->chirp_before && m >= pass->chirp_n) continue;
        x[e] = in[place_of(line, e, false)];
        if (direction == WEFT_INVERSE) x[e] = swapped(x[e]);
        if (pass->chirp_before) x[e] *= chirp(m, pass->chirp_n);
    }
    transform_line(line, x);
    for (int64_t e = 0; e < pass->line.n; e++) {
        int64_t m = map_of(line, &pass->chirp_map, e);
        if (pass->chirp_after && m >= pass->chirp_n) continue;
        if (pass->chirp_after) x[e] *= chirp(m, pass->chirp_n);
        if (pass->twiddle_order) {
            double complex w = root(e * line->counter[pass->twiddle_loop], pass->twiddle_order);
            x[e] *= pass->twiddle_conjugate ? conj(w) : w;
        }
        if (pass->scaled) x[e] *= line->program->problem.scale[direction];
        out[place_of(line, e, true)] = direction == WEFT_INVERSE ? swapped(x[e]) : x[e];
    }
}

static void run_reference(const struct program *program, const double complex *table,
                          weft_direction direction, const double complex *in, double complex *out)
{
    struct line line = {.program = program, .pass = &program->pass[0], .table = table};
    const struct pass *pass = line.pass;
    for (int64_t i = 0; i < pass_lines(pass); i++) {
        int64_t rest = i;
        for (int l = 0; l < pass->loops; l++) {
            line.counter[l] = rest % pass->loop[l].n;
            rest /= pass->loop[l].n;
        }
        run_line(&line, direction, in, out);
    }
}

/* ---- trials ---- */

static uint64_t seed = 1;

static double any_real(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)seed / 9.3e18;
}

/* Where an end's element 0 lies in its array, and the array's length. */
struct extent {
    int64_t first, count;
};

static struct extent extent_of(const struct pass *pass, bool out)
{
    int64_t low = 0, high = 0;
    for (int l = -1; l < pass->loops; l++) {
        const struct dim *dim = l < 0 ? &pass->line : &pass->loop[l];
        int64_t far = (dim->n - 1) * (out ? dim->out_stride : dim->in_stride);
        if (far < 0) low += far;
        else high += far;
    }
    return (struct extent){-low, high - low + 1};
}

/* Complex numbers as a device holds them. */
struct array {
    weft_precision precision;
    weft_format format;
    struct extent extent;
    double complex *exact;
    void *held; /* pairs, or all real and then all imaginary parts */
};

static void set_real(const struct array *a, int64_t place, double value)
{
    if (a->precision == WEFT_F32) ((float *)a->held)[place] = (float)value;
    else ((double *)a->held)[place] = value;
}

static double get_real(const struct array *a, int64_t place)
{
    return a->precision == WEFT_F32 ? ((float *)a->held)[place] : ((double *)a->held)[place];
}

static int64_t part_place(const struct array *a, int64_t i, int part)
{
    return a->format == WEFT_PLANAR ? i + part * a->extent.count : 2 * i + part;
}

static struct array random_array(const struct program *program, bool out)
{
    const struct problem *problem = &program->problem;
    struct array a = {problem->precision, problem->format, extent_of(&program->pass[0], out), NULL,
                      NULL};
    size_t count = (size_t)a.extent.count;
    a.exact = malloc(count * sizeof *a.exact);
    a.held = malloc(count * 2 * sizeof(double));
    for (int64_t i = 0; i < a.extent.count; i++) {
        double re = any_real(), im = any_real();
        set_real(&a, part_place(&a, i, 0), re);
        set_real(&a, part_place(&a, i, 1), im);
        a.exact[i] = get_real(&a, part_place(&a, i, 0)) + I * get_real(&a, part_place(&a, i, 1));
    }
    return a;
}

static struct device_memory memory_of(const struct array *a)
{
    size_t real = a->precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    char *re = a->held;
    if (a->format == WEFT_INTERLEAVED) {
        return (struct device_memory){re + (size_t)a->extent.first * 2 * real, NULL};
    }
    re += (size_t)a->extent.first * real;
    return (struct device_memory){re, re + (size_t)a->extent.count * real};
}

static double relative_error(const struct array *a)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < a->extent.count; i++) {
        double complex x = get_real(a, part_place(a, i, 0)) + I * get_real(a, part_place(a, i, 1));
        difference += pow(cabs(x - a->exact[i]), 2);
        norm += pow(cabs(a->exact[i]), 2);
    }
    return sqrt(difference / norm);
}

static void free_array(struct array *a)
{
    free(a->exact);
    free(a->held);
}

static struct device open_null(const char *limits)
{
    struct device device = {.ops = &null_device_ops};
    assert_int_equal(null_device_ops.open(limits, &device), WEFT_OK);
    return device;
}

/* The spectrum that the program's pass multiplies with. */
static double complex *make_table(const struct program *program)
{
    if (!program->tables) return NULL;
    const struct pass *pass = &program->pass[0];
    int64_t m = program->table[0].m;
    double complex *table = malloc((size_t)m * sizeof *table);
    for (int64_t q = 0; q < m; q++) table[q] = (any_real() + I * any_real()) / (double)m;
    if (pass->body != PASS_RADER) return table;
    uint64_t n = (uint64_t)pass->line.n, g = (uint64_t)primitive_root(pass->line.n);
    for (int64_t q = 0; q < m; q++) {
        table[q] = root((int64_t)power_mod(g, (uint64_t)q, n), (int64_t)n) / (double)m;
    }
    direct_sum(m, false, table);
    return table;
}

static void run_pass(struct device *device, const struct program *program,
                     const double complex *table, weft_direction direction, const struct array *in,
                     const struct array *out)
{
    const double *tables[1] = {(const double *)table};
    struct kernel *kernel = NULL;
    weft_status status = null_device_ops.pass_create(device, program, 0, tables, &kernel);
    if (status) fail_msg("%s", error_last());
    struct pass_arguments arguments = {.direction = direction};
    arguments.place[PASS_INPUT] = memory_of(in);
    arguments.place[PASS_OUTPUT] = memory_of(out);
    status = null_device_ops.pass_run(device, kernel, &arguments);
    null_device_ops.pass_destroy(device, &kernel);
    if (status) fail_msg("%s", error_last());
}

static void check_direction(struct device *device, const struct program *program,
                            weft_direction direction)
{
    double complex *table = make_table(program);
    struct array in = random_array(program, false), out = random_array(program, true);
    run_reference(program, table, direction, in.exact + in.extent.first,
                  out.exact + out.extent.first);
    run_pass(device, program, table, direction, &in, &out);
    double error = relative_error(&out);
    double most = program->problem.precision == WEFT_F32 ? 1e-6 : 2e-14;
    if (!(error < most)) {
        struct text t = {0};
        pass_print(&t, &program->pass[0]);
        fail_msg("error %g of %s on %s", error, text_chars(&t), device->limits.name);
    }
    free_array(&in);
    free_array(&out);
    free(table);
}

static const char *const devices[] = {
    "shared=16384,threads=256,simd=16,coalescing=64",
    "shared=49152,threads=1024,simd=32,coalescing=128",
    "shared=65536,threads=256,simd=64,coalescing=64,registers=128",
    "shared=32768,threads=64,simd=32,coalescing=32",
};

/* Both precisions, formats and directions, on every device. */
static void check(const struct pass *pass, int64_t table)
{
    struct program *program = calloc(1, sizeof *program);
    program->passes = 1;
    program->pass[0] = *pass;
    program->problem.scale[0] = 0.5;
    program->problem.scale[1] = 0.25;
    program->tables = table > 0;
    program->table[0].m = table;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        struct device device = open_null(devices[d]);
        for (int variant = 0; variant < 4; variant++) {
            program->problem.precision = variant & 1 ? WEFT_F64 : WEFT_F32;
            program->problem.format = variant & 2 ? WEFT_PLANAR : WEFT_INTERLEAVED;
            check_direction(&device, program, variant & 1 ? WEFT_INVERSE : WEFT_FORWARD);
        }
        null_device_ops.close(&device);
    }
    free(program);
}

/* ---- passes ---- */

static struct pass transform(int64_t n, const int *radix)
{
    struct pass pass = {.from = PASS_INPUT, .to = PASS_OUTPUT, .line = {n, 1, 1},
                        .body = PASS_TRANSFORM, .length = n};
    for (; radix[pass.radices]; pass.radices++) pass.radix[pass.radices] = radix[pass.radices];
    return pass;
}

static void add_loop(struct pass *pass, int64_t n, int64_t in_stride, int64_t out_stride)
{
    pass->loop[pass->loops++] = (struct dim){n, in_stride, out_stride};
}

#define RADICES(...) ((const int[]){__VA_ARGS__, 0})

static void contiguous_lines_are_transformed(void **state)
{
    (void)state;
    static const struct {
        int64_t n, lines;
        int radix[5];
    } cases[] = {
        {2, 100, {2}},        {3, 7, {3}},          {16, 37, {16}},      {31, 9, {31}},
        {32, 33, {32}},       {60, 5, {5, 4, 3}},   {64, 70, {8, 8}},    {105, 11, {7, 5, 3}},
        {128, 3, {2, 16, 4}}, {169, 2, {13, 13}},   {1000, 2, {10, 10, 10}},
        {1024, 1, {16, 8, 8}}, {1024, 3, {4, 4, 8, 8}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pass pass = transform(cases[i].n, cases[i].radix);
        add_loop(&pass, cases[i].lines, cases[i].n, cases[i].n);
        pass.scaled = i % 2;
        pass.backward = i % 3 == 1;
        check(&pass, 0);
    }
}

static void a_line_without_loops_is_transformed(void **state)
{
    (void)state;
    struct pass pass = transform(48, RADICES(6, 8));
    check(&pass, 0);
    pass = transform(1, RADICES(0));
    check(&pass, 0);
}

static void columns_are_transformed_and_transposed(void **state)
{
    (void)state;
    struct pass pass = transform(32, RADICES(32));
    pass.line = (struct dim){32, 20, 20};
    add_loop(&pass, 20, 1, 1);
    check(&pass, 0);
    pass = transform(128, RADICES(16, 8));
    pass.line = (struct dim){128, 50, 1};
    add_loop(&pass, 50, 1, 128);
    check(&pass, 0);
    pass = transform(9, RADICES(9));
    pass.line = (struct dim){9, 1, 40};
    add_loop(&pass, 40, 9, 1);
    check(&pass, 0);
}

static void any_strides_will_do(void **state)
{
    (void)state;
    struct pass pass = transform(30, RADICES(5, 6));
    pass.line = (struct dim){30, -3, 70};
    add_loop(&pass, 7, 97, -4);
    add_loop(&pass, 3, 0, 2100);
    add_loop(&pass, 2, -1000, 1);
    check(&pass, 0);
}

static void splits_turn_their_columns(void **state)
{
    (void)state;
    for (int conjugate = 0; conjugate < 2; conjugate++) {
        struct pass pass = transform(128, RADICES(16, 8));
        pass.line = (struct dim){128, 50, 1};
        add_loop(&pass, 50, 1, 128);
        pass.twiddle_order = 128 * 50;
        pass.twiddle_conjugate = conjugate;
        pass.scaled = true;
        check(&pass, 0);
        pass = transform(12, RADICES(4, 3));
        add_loop(&pass, 5, 60, 60);
        add_loop(&pass, 5, 12, 12);
        pass.twiddle_order = 60;
        pass.twiddle_loop = 1;
        pass.twiddle_conjugate = conjugate;
        check(&pass, 0);
    }
}

static void convolutions_pad_with_zeros_and_multiply(void **state)
{
    (void)state;
    struct pass pass = transform(128, RADICES(16, 8));
    pass.body = PASS_CONVOLUTION;
    pass.line = (struct dim){50, 1, 1};
    add_loop(&pass, 5, 50, 50);
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
    pass = transform(24, RADICES(6, 4));
    pass.body = PASS_CONVOLUTION;
    add_loop(&pass, 10, 24, 24);
    pass.spectrum_map.line = 10;
    pass.spectrum_map.loop[0] = 1;
    check(&pass, 240);
}

static void the_columns_of_a_large_chirp_convolution_skip_what_is_zero(void **state)
{
    (void)state;
    /* n = 11 in m = 32: 8 rows of 4, the chirp's element is 4 * row + column */
    struct pass pass = transform(8, RADICES(8));
    pass.line = (struct dim){8, 4, 4};
    add_loop(&pass, 4, 1, 1);
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
    } cases[] = {{3, 5, {2}},       {7, 40, {6}},        {17, 12, {16}}, {37, 3, {6, 6}},
                 {101, 4, {10, 10}}, {257, 2, {16, 16}}, {1009, 1, {16, 9, 7}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pass pass = transform(cases[i].n - 1, cases[i].radix);
        pass.body = PASS_RADER;
        pass.line = (struct dim){cases[i].n, 1, 1};
        add_loop(&pass, cases[i].lines, cases[i].n, cases[i].n);
        pass.scaled = i % 2;
        check(&pass, cases[i].n - 1);
    }
}

static void rader_along_columns_can_be_turned(void **state)
{
    (void)state;
    struct pass pass = transform(22, RADICES(11, 2));
    pass.body = PASS_RADER;
    pass.line = (struct dim){23, 9, 1};
    add_loop(&pass, 9, 1, 23);
    pass.twiddle_order = 23 * 9;
    check(&pass, 22);
}

static void copies_copy(void **state)
{
    (void)state;
    struct pass pass = {.from = PASS_INPUT, .to = PASS_OUTPUT, .line = {5000, 1, 1},
                        .length = 5000, .body = PASS_COPY, .scaled = true};
    check(&pass, 0);
    pass.line = (struct dim){70, 1, 33};
    add_loop(&pass, 33, 70, 1);
    add_loop(&pass, 2, 2310, 2310);
    check(&pass, 0);
    pass.line = (struct dim){3, -5, 7};
    pass.loop[0] = (struct dim){100, 15, 21};
    pass.loops = 1;
    check(&pass, 0);
}

/* ---- memory ---- */

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
            transform(cases[i].rader ? cases[i].n - 1 : cases[i].n, cases[i].radix);
        pass.line = (struct dim){cases[i].n, cases[i].line_stride, cases[i].line_stride};
        add_loop(&pass, cases[i].lines, cases[i].loop_stride, cases[i].loop_stride);
        struct program *program = calloc(1, sizeof *program);
        if (cases[i].rader) {
            pass.body = PASS_RADER;
            program->tables = 1;
            program->table[0].m = cases[i].n - 1;
        }
        program->passes = 1;
        program->pass[0] = pass;
        double complex *table = make_table(program);
        for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
            struct device device = open_null(devices[d]);
            struct array a = random_array(program, false);
            run_reference(program, table, WEFT_FORWARD, a.exact, a.exact);
            run_pass(&device, program, table, WEFT_FORWARD, &a, &a);
            assert_true(relative_error(&a) < 1e-6);
            free_array(&a);
            null_device_ops.close(&device);
        }
        free(table);
        free(program);
    }
}

/* Runs a pass of a power of two and returns what was counted. */
static struct ir_report report_of(const char *limits, struct pass pass, weft_precision precision)
{
    struct program *program = calloc(1, sizeof *program);
    program->passes = 1;
    program->pass[0] = pass;
    program->problem.precision = precision;
    struct device device = open_null(limits);
    struct array in = random_array(program, false), out = random_array(program, true);
    run_pass(&device, program, NULL, WEFT_FORWARD, &in, &out);
    struct ir_report report;
    null_device_report(&device, &report);
    free_array(&in);
    free_array(&out);
    null_device_ops.close(&device);
    free(program);
    return report;
}

static const struct {
    int64_t n;
    int radix[8];
} powers[] = {
    {16, {16}},        {32, {8, 4}},       {64, {8, 8}},       {128, {16, 8}},
    {256, {16, 16}},   {256, {4, 4, 4, 4}}, {512, {8, 8, 8}},  {1024, {16, 8, 8}},
    {1024, {32, 32}},  {1024, {4, 4, 4, 16}}, {2048, {16, 16, 8}}, {2048, {8, 16, 16}},
};

static void powers_of_two_meet_no_bank_conflict(void **state)
{
    (void)state;
    static const char *const large[] = {"shared=49152,threads=1024",
                                        "shared=32768,threads=256,simd=64,coalescing=64"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        for (int variant = 0; variant < 8; variant++) {
            struct pass pass = transform(powers[i].n, powers[i].radix);
            bool columns_in = variant & 1, columns_out = variant & 2;
            pass.line.in_stride = columns_in ? 32 : 1;
            pass.line.out_stride = columns_out ? 32 : 1;
            add_loop(&pass, 32, columns_in ? 1 : pass.length, columns_out ? 1 : pass.length);
            for (int d = 0; d < 2; d++) {
                struct ir_report report =
                    report_of(large[d], pass, variant & 4 ? WEFT_F64 : WEFT_F32);
                if (report.bank_conflicts) {
                    fail_msg("%lld conflicts in %lld accesses: n %lld, radices %d.%d, variant %d, "
                             "device %s", (long long)report.bank_conflicts,
                             (long long)report.shared_accesses, (long long)pass.length,
                             pass.radix[0], pass.radix[1], variant, large[d]);
                }
            }
        }
    }
}

/* Interleaved parts are loaded one by one, so each transaction serves two accesses. Tiles of longer
 * columns would need more shared memory to be wide enough. */
static void global_memory_is_accessed_in_whole_transactions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        struct pass pass = transform(powers[i].n, powers[i].radix);
        for (int columns = 0; columns < (pass.length > 512 ? 1 : 2); columns++) {
            struct pass tried = pass;
            if (columns) tried.line.in_stride = tried.line.out_stride = 64;
            add_loop(&tried, 64, columns ? 1 : tried.length, columns ? 1 : tried.length);
            struct ir_report report = report_of("shared=49152,threads=1024", tried, WEFT_F32);
            double share = (double)report.transactions / (double)report.ideal_transactions;
            if (share > 2.3) {
                fail_msg("n %lld, columns %d: %g", (long long)pass.length, columns, share);
            }
        }
    }
}

static void a_grid_may_be_cut_into_launches(void **state)
{
    (void)state;
    enum { LINES = 100, COUNT = LINES * 8 };
    static float in[2 * COUNT], whole[2 * COUNT], parts[2 * COUNT];
    struct program *program = calloc(1, sizeof *program);
    program->passes = 1;
    program->pass[0] = transform(8, RADICES(8));
    add_loop(&program->pass[0], LINES, 8, 8);
    struct limits limits;
    limits_default_gpu(&limits);
    arena *a = arena_create();
    struct block_kernel info;
    const struct ir *kernel =
        block_build(a, program, 0, &limits, WEFT_INTERLEAVED, WEFT_INTERLEAVED, &info);
    assert_non_null(kernel);
    assert_true(info.blocks > 1);
    for (int i = 0; i < 2 * COUNT; i++) in[i] = (float)any_real();
    int64_t params[BLOCK_PARAM_COUNT] = {0};
    struct ir_launch launch = {
        .blocks = info.blocks, .threads = info.threads, .single = true, .coalescing_bytes = 128,
        .simd_width = 32, .banks = 32, .params = params,
    };
    launch.buffer[BLOCK_IN_RE] = in;
    launch.buffer[BLOCK_OUT_RE] = whole;
    launch.buffer_count[BLOCK_IN_RE] = launch.buffer_count[BLOCK_OUT_RE] = 2 * COUNT;
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    launch.buffer[BLOCK_OUT_RE] = parts;
    launch.blocks = 1;
    for (; params[BLOCK_FIRST] < info.blocks; params[BLOCK_FIRST]++) {
        assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
        assert_string_equal(report.first, "");
    }
    assert_memory_equal(whole, parts, sizeof whole);
    arena_destroy(&a);
    free(program);
}

/* ---- limits ---- */

static weft_status try_create(const char *limits, const struct pass *pass)
{
    struct program *program = calloc(1, sizeof *program);
    program->passes = 1;
    program->pass[0] = *pass;
    struct device device = open_null(limits);
    struct kernel *kernel = NULL;
    weft_status status = null_device_ops.pass_create(&device, program, 0, NULL, &kernel);
    null_device_ops.pass_destroy(&device, &kernel);
    null_device_ops.close(&device);
    free(program);
    return status;
}

static void shared_memory_need_only_hold_one_component(void **state)
{
    (void)state;
    struct pass pass = transform(1024, RADICES(16, 8, 8));
    assert_int_equal(try_create("shared=8192", &pass), WEFT_OK);
    assert_int_equal(try_create("shared=4096", &pass), WEFT_OK);
    assert_int_equal(try_create("shared=4092", &pass), WEFT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error_last(), "4096"));
    struct ir_report report = report_of("shared=4096,threads=64", pass, WEFT_F32);
    assert_string_equal(report.first, "");
}

static void no_memory_is_an_error_and_nothing_leaks(void **state)
{
    (void)state;
    struct pass pass = transform(16, RADICES(4, 4));
    add_loop(&pass, 3, 16, 16);
    struct program *program = calloc(1, sizeof *program);
    program->passes = 1;
    program->pass[0] = pass;
    struct device device = open_null(NULL);
    struct array a = random_array(program, false);
    int64_t blocks = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t after = 0; status != WEFT_OK; after++) {
        struct kernel *kernel = NULL;
        memory_fail_after(after);
        status = null_device_ops.pass_create(&device, program, 0, NULL, &kernel);
        if (!status) {
            struct pass_arguments arguments = {.direction = WEFT_FORWARD};
            arguments.place[PASS_INPUT] = arguments.place[PASS_OUTPUT] = memory_of(&a);
            status = null_device_ops.pass_run(&device, kernel, &arguments);
        }
        memory_fail_after(-1);
        null_device_ops.pass_destroy(&device, &kernel);
        assert_true(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
        assert_int_equal(memory_live_blocks(), blocks);
        assert_true(after < 10000);
    }
    free_array(&a);
    null_device_ops.close(&device);
    free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_lines_are_transformed),
        cmocka_unit_test(a_line_without_loops_is_transformed),
        cmocka_unit_test(columns_are_transformed_and_transposed),
        cmocka_unit_test(any_strides_will_do),
        cmocka_unit_test(splits_turn_their_columns),
        cmocka_unit_test(convolutions_pad_with_zeros_and_multiply),
        cmocka_unit_test(the_columns_of_a_large_chirp_convolution_skip_what_is_zero),
        cmocka_unit_test(primes_are_transformed_by_rader),
        cmocka_unit_test(rader_along_columns_can_be_turned),
        cmocka_unit_test(copies_copy),
        cmocka_unit_test(passes_work_in_place),
        cmocka_unit_test(powers_of_two_meet_no_bank_conflict),
        cmocka_unit_test(global_memory_is_accessed_in_whole_transactions),
        cmocka_unit_test(a_grid_may_be_cut_into_launches),
        cmocka_unit_test(shared_memory_need_only_hold_one_component),
        cmocka_unit_test(no_memory_is_an_error_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
