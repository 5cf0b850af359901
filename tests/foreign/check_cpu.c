/* The library on a processor that this machine is not: what its own instruction sets make of lines
 * of every length and of random problems, against the reference. "compute FILE", run by an emulator
 * of that processor, leaves data and results in the file; "compare FILE", run by this machine, goes
 * through the same problems with what is there: in the emulator the reference would take twenty
 * times as long as all else. No test library is needed there, so that nothing but a compiler is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/devices.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"

enum { LONGEST_LINE = 160, RANDOM_PROBLEMS = 120, MOST_DEVICES = 8 };

static const struct trial_range range = {200, 1000, 4, 2, true};
static const struct trial_range long_range = {6000, 12000, 3, 2, true};

/* Of a device; where results are compared, it is a name. */
struct check {
    FILE *results;
    struct test_device device;
    struct random random;
    const struct trial *trial;
    weft_plan *plan;
};

static double *random_pairs(struct random *random, int64_t count)
{
    double *pairs = malloc((size_t)(2 * count) * sizeof *pairs);
    if (!pairs) abort();
    for (int64_t i = 0; i < 2 * count; i++) pairs[i] = random_number(random);
    return pairs;
}

/* What was transformed is kept too: numbers are rounded as they are stored. */
static bool compute(const struct check *check, weft_direction direction, double *in, double *out)
{
    const size_t count = (size_t)(2 * trial_elements(check->trial));
    const char *wrong =
        trial_run(check->trial, check->plan, check->device.device, direction, in, out);
    if (wrong)
        fprintf(stderr, "%s, %s: %s\n", check->device.name, trial_text(check->trial), wrong);
    return fwrite(in, sizeof *in, count, check->results) == count &&
           fwrite(out, sizeof *out, count, check->results) == count && !wrong;
}

static bool compare(const struct check *check, weft_direction direction, double *in, double *out)
{
    const size_t count = (size_t)(2 * trial_elements(check->trial));
    const double limit = exact_limit(check->trial, check->device.name);
    const bool whole = fread(in, sizeof *in, count, check->results) == count &&
                       fread(out, sizeof *out, count, check->results) == count;
    const double error = whole ? exact_error(check->trial, direction, in, out) : 0;
    const bool right = whole && error <= limit;
    if (!right)
        fprintf(stderr, "%s, %s: %s, error %.3g, limit %.3g\n", check->device.name,
                trial_text(check->trial), whole ? "wrong" : "no results", error, limit);
    return right;
}

/* Returns how many directions went wrong, of two. */
static int try_problem(struct check *check, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    const bool computes = check->device.device != NULL;
    int failed = 0;
    check->trial = trial;
    if (computes && weft_plan_create(check->device.device, &params, &check->plan)) {
        fprintf(stderr, "%s, %s: %s\n", check->device.name, trial_text(trial), weft_last_error());
        return 2;
    }
    for (int d = WEFT_FORWARD; d <= WEFT_INVERSE; d++) {
        double *in = random_pairs(&check->random, trial_elements(trial));
        double *out = random_pairs(&check->random, trial_elements(trial));
        failed += !(computes ? compute : compare)(check, (weft_direction)d, in, out);
        free(in);
        free(out);
    }
    weft_plan_destroy(&check->plan);
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

static int try_device(struct check *check)
{
    struct trial trial;
    int failed = 0;
    check->random.state = 1;
    for (int64_t n = 1; n <= LONGEST_LINE; n++) {
        for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
            set_lines(&trial, n, (weft_precision)precision);
            failed += try_problem(check, &trial);
        }
    }
    for (int i = 0; i < RANDOM_PROBLEMS; i++) {
        trial_random(&check->random, i % 3 ? &range : &long_range, &trial);
        failed += try_problem(check, &trial);
    }
    printf("%s: %d of %d transforms wrong\n", check->device.name, failed,
           2 * (2 * LONGEST_LINE + RANDOM_PROBLEMS));
    return failed;
}

static int compute_all(FILE *results)
{
    struct test_device device[MOST_DEVICES];
    const int devices = devices_open_cpus(MOST_DEVICES, device);
    int failed = devices == 0;
    for (int i = 0; i < devices; i++) {
        struct check check = {.results = results, .device = device[i]};
        failed += fwrite(check.device.name, sizeof check.device.name, 1, results) != 1;
        failed += try_device(&check);
    }
    devices_close(devices, device);
    return failed;
}

static int compare_all(FILE *results)
{
    struct check check = {.results = results};
    char name[sizeof check.device.name];
    int failed = 0, devices = 0;
    for (; fread(name, sizeof name, 1, results) == 1; devices++) {
        memcpy(check.device.name, name, sizeof name);
        failed += try_device(&check);
    }
    return failed + (devices == 0);
}

int main(int count, char **argument)
{
    if (count != 3) return 2;
    const bool computes = strcmp(argument[1], "compute") == 0;
    FILE *results = fopen(argument[2], computes ? "wb" : "rb");
    if (!results) return 2;
    int failed = (computes ? compute_all : compare_all)(results);
    failed += fclose(results) != 0;
    return failed > 0;
}
