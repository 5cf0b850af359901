/* Lines whose results begin with a line of the cache may have what lies between their steps there:
 * they come out the same as anywhere else, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/factor.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/numbers.h"
#include "support/random.h"
#include "weft/weft.h"

enum { ALIGNMENT = 64, SHORTEST = 100, SHORT = 1200, LONGEST = 6000, LINES = 2, TRIALS = 300 };
/* Of complex lines, each with what makes it end with a line of the cache. */
enum { MOST_REALS = 2 * LINES * (LONGEST + 16) };

static struct random numbers;
static _Alignas(ALIGNMENT) double from[MOST_REALS], to[2][MOST_REALS + ALIGNMENT];

/* The first ones more often. */
enum { HALVES = 3 };
static const weft_kind kinds[] = {WEFT_C2C,  WEFT_R2C,  WEFT_C2R,  WEFT_DCT1, WEFT_DCT2, WEFT_DCT3,
                                  WEFT_DCT4, WEFT_DST1, WEFT_DST2, WEFT_DST3, WEFT_DST4, WEFT_DHT};

struct trial {
    weft_params params;
    weft_direction direction;
    bool in_place;
};

/* Both lines are aligned, or neither. */
static struct trial random_trial(void)
{
    const int64_t kind = random_between(&numbers, 0, (int64_t)(sizeof kinds / sizeof *kinds) - 1);
    struct trial t = {.params = WEFT_PARAMS_DEFAULT};
    const int64_t longest = random_chance(&numbers, 0.6) ? SHORT : LONGEST;
    do
        t.params.size[0] = random_between(&numbers, SHORTEST, longest);
    while (!is_smooth(t.params.size[0], 13));
    t.params.kind = random_chance(&numbers, 0.6) ? kinds[kind % HALVES] : kinds[kind];
    t.params.precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32;
    t.params.batch = random_between(&numbers, 1, LINES);
    t.params.in_distance = t.params.out_distance = (t.params.size[0] + 15) / 16 * 16;
    const bool half = t.params.kind == WEFT_R2C || t.params.kind == WEFT_C2R;
    const bool back = t.params.kind == WEFT_C2R || (!half && random_chance(&numbers, 0.5));
    t.direction = back ? WEFT_INVERSE : WEFT_FORWARD;
    t.in_place = !half && random_chance(&numbers, 0.3);
    return t;
}

static void run(weft_device *device, const struct trial *t, char *out)
{
    if (t->in_place) memcpy(out, from, sizeof from);
    else memset(out, 0, sizeof from);
    numbers_transform(device, &t->params, t->direction, t->in_place ? out : (char *)from,
                      sizeof from, out, sizeof from);
}

static void check(weft_device *device, const struct trial *t)
{
    char *const aligned = (char *)to[0];
    char *const other = (char *)to[1] + number_bytes(t->params.precision);
    numbers_fill(t->params.precision, from,
                 (int64_t)(sizeof from / number_bytes(t->params.precision)), &numbers);
    run(device, t, aligned);
    run(device, t, other);
    if (memcmp(aligned, other, sizeof from) != 0)
        fail_msg("%lld lines of %lld, kind %d, precision %d, direction %d%s: not the same",
                 (long long)t->params.batch, (long long)t->params.size[0], (int)t->params.kind,
                 (int)t->params.precision, (int)t->direction, t->in_place ? ", in place" : "");
}

static void aligned_lines_are_as_others(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "neon", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++) {
            const struct trial t = random_trial();
            check(device, &t);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_lines_are_as_others),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("aligned", tests, NULL, NULL);
}
