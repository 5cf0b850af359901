#include "support/two_trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "plan/planner.h"
#include "run/runner.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/random.h"

static struct random numbers;

struct lines_at {
    weft_format format;
    int64_t lines, stride, distance; /* of numbers, and of lines */
    int threads;
};

/* Of the largest layout's numbers, in pairs or in planes. */
struct array {
    int64_t numbers;
    double *data; /* or singles */
};

static struct problem problem_of(const struct two_trees *shape, const struct lines_at *layout,
                                 weft_precision precision)
{
    return (struct problem){.precision = precision, .format = layout->format, .axes = 1,
                            .axis = {{shape->n, layout->stride, layout->stride}}, .loops = 1,
                            .loop = {{layout->lines, layout->distance, layout->distance}},
                            .scale = {1, 0.5}, .threads = layout->threads};
}

static const struct program *make_program(arena *a, const struct device *device,
                                          const struct problem *problem, const char *text)
{
    const char *rest = text;
    const struct plan_node *tree;
    const struct program *program;
    const struct limits *limits = device_limits(device, problem->precision);
    assert_done(plan_parse(a, &rest, &tree));
    assert_done(plan_check(problem, limits, tree));
    assert_done(plan_lower(a, problem, limits, tree, &program));
    return program;
}

static struct device_memory memory_of(const struct array *x, const struct problem *problem)
{
    const int64_t bytes = x->numbers * (problem->precision == WEFT_F32 ? 4 : 8);
    const bool planar = problem->format == WEFT_PLANAR;
    return (struct device_memory){.re = x->data, .im = planar ? (char *)x->data + bytes : NULL};
}

static void transform(struct device *device, const struct problem *problem, const char *tree,
                      weft_direction direction, const struct array *in, const struct array *out)
{
    arena *a = arena_create();
    struct executable *executable = NULL;
    struct runner *runner = NULL;
    const struct runner_aids aids = {0};
    assert_done(executable_create(device, make_program(a, device, problem, tree), &executable));
    assert_done(runner_create(executable, &runner));
    assert_done(runner_run(runner, direction, memory_of(in, problem), memory_of(out, problem),
                           &aids));
    runner_destroy(&runner);
    executable_destroy(&executable);
    arena_destroy(&a);
}

static struct array make_array(int64_t numbers_in_it)
{
    struct array x = {numbers_in_it, calloc((size_t)numbers_in_it, 2 * sizeof(double))};
    assert_non_null(x.data);
    return x;
}

static double real_at(const struct array *x, weft_precision precision, int64_t i)
{
    return precision == WEFT_F32 ? (double)((const float *)x->data)[i] : x->data[i];
}

static void fill(struct array *x, weft_precision precision)
{
    for (int64_t i = 0; i < 2 * x->numbers; i++) {
        if (precision == WEFT_F32) ((float *)x->data)[i] = (float)random_number(&numbers);
        else x->data[i] = random_number(&numbers);
    }
}

static void compare(const struct array *found, const struct array *wanted,
                    weft_precision precision)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < 2 * found->numbers; i++) {
        const double want = real_at(wanted, precision, i);
        error += pow(real_at(found, precision, i) - want, 2);
        norm += want * want;
    }
    assert_true(sqrt(error / norm) <= (precision == WEFT_F32 ? 6e-7 : 1.5e-15));
}

static void try_layout(struct device *device, const struct two_trees *shape,
                       const struct lines_at *layout, weft_precision precision, bool in_place)
{
    const struct problem problem = problem_of(shape, layout, precision);
    const int64_t all = shape->n * layout->stride + layout->lines * layout->distance;
    for (int d = 0; d < 2; d++) {
        struct array in = make_array(all), out[2] = {make_array(all), make_array(all)};
        fill(&in, precision);
        for (int i = 0; i < 2; i++) {
            if (in_place) memcpy(out[i].data, in.data, (size_t)all * 2 * sizeof(double));
            transform(device, &problem, shape->tree[i], (weft_direction)d,
                      in_place ? &out[i] : &in, &out[i]);
        }
        compare(&out[0], &out[1], precision);
        free(in.data);
        for (int i = 0; i < 2; i++) free(out[i].data);
    }
}

static void try_shape(struct device *device, const struct two_trees *shape)
{
    const struct lines_at layouts[] = {
        {WEFT_INTERLEAVED, 1, 1, 1, 1},            {WEFT_PLANAR, 1, 1, 1, 1},
        {WEFT_INTERLEAVED, 5, 1, shape->n + 3, 1}, {WEFT_INTERLEAVED, 19, 19, 1, 1},
        {WEFT_PLANAR, 35, 35, 1, 1},               {WEFT_INTERLEAVED, 3, 3, 1, 1},
        {WEFT_INTERLEAVED, 40, 1, shape->n, 2},    {WEFT_INTERLEAVED, 4, 2, 2 * shape->n, 1},
    };
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        for (int i = 0; i < 4; i++)
            try_layout(device, shape, &layouts[l], i & 1 ? WEFT_F64 : WEFT_F32, i & 2);
    }
}

void two_trees_compare(size_t count, const struct two_trees *shapes)
{
    struct test_device devices[8];
    numbers = (struct random){random_seed()};
    const int opened = devices_open_cpus(8, devices);
    for (int d = 0; d < opened; d++) {
        for (size_t s = 0; s < count; s++)
            try_shape(&devices[d].device->device, &shapes[s]);
    }
    devices_close(opened, devices);
}
