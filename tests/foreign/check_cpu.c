/* The library on a processor that this machine is not, run by an emulator of it: what its own
 * instruction set makes of lines of every length and of random problems, against the reference.
 * No test library is needed there, so that nothing but a compiler is. */
#include <stdio.h>
#include <stdlib.h>

#include "support/devices.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"

enum { LONGEST_LINE = 160, RANDOM_PROBLEMS = 120, MOST_DEVICES = 8 };

static const struct trial_range range = {200, 1000, 4, 2, true};
static const struct trial_range long_range = {6000, 12000, 3, 2, true};

static double *random_pairs(struct random *random, int64_t count)
{
    double *pairs = malloc((size_t)(2 * count) * sizeof *pairs);
    if (!pairs) abort();
    for (int64_t i = 0; i < 2 * count; i++) pairs[i] = random_number(random);
    return pairs;
}

/* How many directions went wrong, of one. */
static int try_direction(const struct trial *trial, const struct test_device *device,
                         const weft_plan *plan, weft_direction direction, struct random *random)
{
    double *in = random_pairs(random, trial_elements(trial));
    double *out = random_pairs(random, trial_elements(trial));
    const char *wrong = trial_run(trial, plan, device->device, direction, in, out);
    const double error = wrong ? 0 : exact_error(trial, direction, in, out);
    const bool right = !wrong && error <= exact_limit(trial, device->name);
    if (!right)
        fprintf(stderr, "%s, %s: %s, error %.3g, limit %.3g\n", device->name, trial_text(trial),
                wrong ? wrong : "wrong", error, exact_limit(trial, device->name));
    free(in);
    free(out);
    return !right;
}

static int try_problem(const struct trial *trial, const struct test_device *device,
                       struct random *random)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan;
    if (weft_plan_create(device->device, &params, &plan)) {
        fprintf(stderr, "%s, %s: %s\n", device->name, trial_text(trial), weft_last_error());
        return 1;
    }
    int failed = 0;
    for (int direction = WEFT_FORWARD; direction <= WEFT_INVERSE; direction++)
        failed += try_direction(trial, device, plan, (weft_direction)direction, random);
    weft_plan_destroy(&plan);
    return failed;
}

/* Three lines of n, one behind the other. */
static void set_lines(struct trial *trial, int64_t n, weft_precision precision)
{
    *trial = (struct trial){.params = WEFT_PARAMS_DEFAULT,
                            .dims = 2,
                            .n = {3, n},
                            .transformed = {false, true},
                            .in = {.stride = {n, 1}, .elements = 3 * n, .packed = true},
                            .out = {.stride = {n, 1}, .elements = 3 * n, .packed = true}};
    trial->params.precision = precision;
    trial->params.size[0] = n;
    trial->params.batch = 3;
    trial_set_sides(trial);
}

static int try_device(const struct test_device *device)
{
    struct random random = {.state = 1};
    struct trial trial;
    int failed = 0;
    for (int64_t n = 1; n <= LONGEST_LINE; n++) {
        for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
            set_lines(&trial, n, (weft_precision)precision);
            failed += try_problem(&trial, device, &random);
        }
    }
    for (int i = 0; i < RANDOM_PROBLEMS; i++) {
        trial_random(&random, i % 3 ? &range : &long_range, &trial);
        failed += try_problem(&trial, device, &random);
    }
    return failed;
}

int main(void)
{
    struct test_device device[MOST_DEVICES];
    const int devices = devices_open_cpus(MOST_DEVICES, device);
    int failed = 0;
    for (int i = 0; i < devices; i++) {
        const int of_device = try_device(&device[i]);
        printf("%s: %d of %d transforms wrong\n", device[i].name, of_device,
               2 * (2 * LONGEST_LINE + RANDOM_PROBLEMS));
        failed += of_device;
    }
    devices_close(devices, device);
    return failed > 0 || devices == 0;
}
