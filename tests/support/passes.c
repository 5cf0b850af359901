#include "support/passes.h"

#include <math.h>
#include <stdlib.h>

#include "device/null/null.h"

struct pass pass_transform(int64_t n, const int *radix)
{
    struct pass pass = {.from = PASS_INPUT,
                        .to = PASS_OUTPUT,
                        .line = {n, 1, 1},
                        .body = PASS_TRANSFORM,
                        .length = n};
    for (; radix[pass.radices]; pass.radices++)
        pass.radix[pass.radices] = radix[pass.radices];
    return pass;
}

void pass_add_loop(struct pass *pass, int64_t n, int64_t in_stride, int64_t out_stride)
{
    pass->loop[pass->loops++] = (struct dim){n, in_stride, out_stride};
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

struct program *pass_program(const struct pass *pass)
{
    struct program_room *room = allocate(1, sizeof *room);
    struct program *program = program_of_room(room);
    program->passes = 1;
    program->pass[0] = *pass;
    program->pass[0].chirp_table = 1;
    return program;
}

static struct extent extent_of(const struct pass *pass, bool out)
{
    int64_t low = 0, high = 0;
    for (int l = -1; l < pass->loops; l++) {
        const struct dim *dim = l < 0 ? &pass->line : &pass->loop[l];
        int64_t far = (dim->n - 1) * (out ? dim->out_stride : dim->in_stride);
        if (far < 0)
            low += far;
        else
            high += far;
    }
    return (struct extent){-low, high - low + 1};
}

static void set_real(const struct pass_array *a, int64_t place, double value)
{
    if (a->precision == WEFT_F32)
        ((float *)a->held)[place] = (float)value;
    else
        ((double *)a->held)[place] = value;
}

static double get_real(const struct pass_array *a, int64_t place)
{
    return a->precision == WEFT_F32 ? ((float *)a->held)[place] : ((double *)a->held)[place];
}

static int64_t part_place(const struct pass_array *a, int64_t i, int part)
{
    return a->format == WEFT_PLANAR ? i + part * a->extent.count : 2 * i + part;
}

struct pass_array pass_array_make(struct random *random, const struct program *program, bool out)
{
    const struct problem *problem = &program->problem;
    struct pass_array a = {problem->precision, problem->format, extent_of(&program->pass[0], out),
                           NULL, NULL};
    size_t count = (size_t)a.extent.count;
    a.exact = allocate(count, sizeof *a.exact);
    a.held = allocate(count, 2 * sizeof(double));
    for (int64_t i = 0; i < a.extent.count; i++) {
        double re = random_number(random), im = random_number(random);
        set_real(&a, part_place(&a, i, 0), re);
        set_real(&a, part_place(&a, i, 1), im);
        a.exact[i] = get_real(&a, part_place(&a, i, 0)) + I * get_real(&a, part_place(&a, i, 1));
    }
    return a;
}

void pass_array_free(struct pass_array *a)
{
    free(a->exact);
    free(a->held);
}

struct device_memory pass_array_memory(const struct pass_array *a)
{
    size_t real = a->precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    char *held = a->held;
    struct device_memory memory = {.re = held, .first = a->extent.first};
    if (a->format == WEFT_PLANAR) memory.im = held + (size_t)a->extent.count * real;
    return memory;
}

double pass_array_error(const struct pass_array *a)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < a->extent.count; i++) {
        double complex x = get_real(a, part_place(a, i, 0)) + I * get_real(a, part_place(a, i, 1));
        difference += pow(cabs(x - a->exact[i]), 2);
        norm += pow(cabs(a->exact[i]), 2);
    }
    return sqrt(difference / norm);
}

struct device pass_device_open(const char *limits)
{
    struct device device = {.ops = &null_device_ops};
    if (null_device_ops.open(limits, &device)) abort();
    return device;
}

/* A program's table in its precision, as devices get it. */
static void *planes_of(const struct program *program, const double complex *table, int64_t length)
{
    double *planes = allocate((size_t)length * 2, sizeof *planes);
    for (int64_t i = 0; i < length; i++) {
        const double part[2] = {creal(table[i]), cimag(table[i])};
        for (int p = 0; p < 2; p++) {
            if (program->problem.precision == WEFT_F32)
                ((float *)planes)[i + p * length] = (float)part[p];
            else
                planes[i + p * length] = part[p];
        }
    }
    return planes;
}

static void *chirp_of(const struct program *program)
{
    const int64_t n = program->pass[0].chirp_n;
    double complex *chirp = allocate((size_t)n + 1, sizeof *chirp);
    for (int64_t j = 0; j < n; j++)
        chirp[j] = cexp(-I * M_PI * (double)(j * j % (2 * n)) / (double)n);
    void *planes = planes_of(program, chirp, n);
    free(chirp);
    return planes;
}

weft_status pass_run(struct device *device, const struct program *program,
                     const double complex *table, weft_direction direction,
                     const struct pass_array *in, const struct pass_array *out)
{
    void *spectrum = table ? planes_of(program, table, program->table[0].m) : NULL;
    void *chirp = chirp_of(program);
    const void *tables[] = {spectrum, chirp};
    struct kernel *kernel = NULL;
    weft_status status = device->ops->pass_create(device, program, 0, tables, &kernel);
    free(spectrum);
    free(chirp);
    if (status) return status;
    struct pass_arguments arguments = {.direction = direction};
    arguments.place[PASS_INPUT] = pass_array_memory(in);
    arguments.place[PASS_OUTPUT] = pass_array_memory(out);
    status = device->ops->pass_run(device, kernel, &arguments);
    device->ops->pass_destroy(device, &kernel);
    return status;
}
