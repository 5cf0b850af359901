/* Single lines whose output ends where something else begins, by every instruction set: steps that
 * take the output for a buffer write nothing behind it, and results are what they are elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/devices.h"
#include "support/numbers.h"

enum { MOST = 512, BEHIND = 1024, LINE = 64, BATCH = 3 };

static struct random numbers;

struct line {
    weft_kind kind;
    weft_precision precision;
    int64_t n;
};

/* Of the larger end. */
static size_t bytes_of(const struct line *line)
{
    const bool halved = line->kind == WEFT_R2C || line->kind == WEFT_C2R;
    const int64_t reals = line->kind == WEFT_C2C ? 2 * line->n : line->n + (halved ? 2 : 0);
    return (size_t)reals * number_bytes(line->precision);
}

static void run(weft_device *device, const struct line *line, int64_t batch, char *in, char *out)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    const size_t bytes = bytes_of(line) * (size_t)batch;
    params.kind = line->kind;
    params.precision = line->precision;
    params.size[0] = line->n;
    params.batch = batch;
    numbers_transform(device, &params, WEFT_FORWARD, in, bytes, out, bytes);
}

static void check(weft_device *device, const struct line *line)
{
    const size_t bytes = bytes_of(line), all = BATCH * bytes;
    char *in = aligned_alloc(LINE, all + BEHIND), *out = aligned_alloc(LINE, all + BEHIND);
    char *apart = aligned_alloc(LINE, all + BEHIND), behind[BEHIND];
    assert_true(in && out && apart);
    numbers_fill(line->precision, in, (int64_t)(all / number_bytes(line->precision)), &numbers);
    memset(behind, 0x5a, BEHIND);
    memset(out + bytes, 0x5a, BEHIND);
    run(device, line, 1, in, out);
    if (memcmp(out + bytes, behind, BEHIND) != 0)
        fail_msg("kind %d of %d, precision %d, writes behind its output", (int)line->kind,
                 (int)line->n, (int)line->precision);
    run(device, line, BATCH, in, apart);
    run(device, line, BATCH, in, in);
    if (memcmp(in, apart, all) != 0)
        fail_msg("kind %d of %d, precision %d, is another in place", (int)line->kind,
                 (int)line->n, (int)line->precision);
    free(in);
    free(out);
    free(apart);
}

static void nothing_is_written_behind_a_line(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "neon", "scalar"};
    static const weft_kind kinds[] = {WEFT_C2C,  WEFT_DCT2, WEFT_DCT3, WEFT_DCT4,
                                      WEFT_DST2, WEFT_DST3, WEFT_DST4, WEFT_DHT};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int64_t n = 128; device && n <= MOST; n += 32)
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
                for (int p = 0; p < 2; p++)
                    check(device, &(struct line){kinds[k], p ? WEFT_F64 : WEFT_F32, n});
        weft_device_close(&device);
    }
}

/* An output that begins no line of the cache is no buffer. */
static void check_long(weft_device *device, const struct line *line)
{
    const size_t bytes = bytes_of(line), one = number_bytes(line->precision);
    const size_t all = (bytes + LINE) / LINE * LINE;
    char *in = aligned_alloc(LINE, all), *out = aligned_alloc(LINE, all);
    char *apart = aligned_alloc(LINE, all);
    assert_true(in && out && apart);
    numbers_fill(line->precision, in, (int64_t)(bytes / one), &numbers);
    memset(out, 0, all);
    memset(apart, 0, all);
    run(device, line, 1, in, out);
    run(device, line, 1, in, apart + one);
    if (memcmp(out, apart + one, bytes) != 0)
        fail_msg("kind %d of %d, precision %d, is another where its output is a buffer",
                 (int)line->kind, (int)line->n, (int)line->precision);
    free(in);
    free(out);
    free(apart);
}

/* Two to four steps of pairs, of half the length for reals. */
static void long_lines_are_what_they_are_without_a_buffer(void **state)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    static const int64_t lengths[] = {400,  1024, 2000,  4096,  5120,  6000, 8192,
                                      9000, 10240, 11264, 13000, 14336, 26000};
    weft_device *device = devices_open_cpu(NULL);
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int p = 0; p < 2; p++)
                check_long(device,
                           &(struct line){kinds[k], p ? WEFT_F64 : WEFT_F32, lengths[i]});
    weft_device_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_behind_a_line),
        cmocka_unit_test(long_lines_are_what_they_are_without_a_buffer),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("borrowed", tests, NULL, NULL);
}
