/* Plans whose scratch the caller gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/calls.h"
#include "support/guarded.h"
#include "weft/weft.h"

enum { LARGE = 65536 };

/* A transform that needs scratch, in and out of place, compared with the plan's own. */
struct scratch_bench {
    weft_plan *plan;
    size_t bytes;
    float *in, *expected, *out;
    weft_buffer *from, *to;
};

static void set_up_scratch(struct scratch_bench *s)
{
    weft_params params = line_of(LARGE * 16);
    params.precision = WEFT_F32;
    s->plan = plan_for(&params);
    s->bytes = weft_plan_scratch_bytes(s->plan);
    const size_t bytes = (size_t)LARGE * 16 * 8;
    s->in = malloc(bytes);
    s->out = malloc(bytes);
    s->expected = malloc(bytes);
    if (!s->in || !s->out || !s->expected) abort();
    for (int64_t i = 0; i < LARGE * 32; i++)
        s->in[i] = (float)(i * i % 1009) / 1009;
    s->from = wrap(s->in, bytes);
    s->to = wrap(s->expected, bytes);
    assert_int_equal(weft_execute(s->plan, WEFT_FORWARD, s->from, s->to), WEFT_OK);
    weft_buffer_destroy(&s->to);
    s->to = wrap(s->out, bytes);
}

static void tear_down_scratch(struct scratch_bench *s)
{
    weft_buffer_destroy(&s->from);
    weft_buffer_destroy(&s->to);
    weft_plan_destroy(&s->plan);
    free(s->in);
    free(s->out);
    free(s->expected);
}

static void scratch_may_be_the_callers(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    assert_true(s.bytes > 0);
    struct guarded memory;
    guarded_create(&memory, WEFT_INTERLEAVED, WEFT_STORED_F32, (int64_t)s.bytes / 8, 1);
    weft_execution execution = {.scratch = guarded_wrap(&memory, device)};
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution), WEFT_OK);
    assert_memory_equal(s.out, s.expected, (size_t)LARGE * 16 * 8);
    assert_true(!guarded_is_unchanged(&memory)); /* it is used */
    int64_t *place = malloc(s.bytes);
    if (!place) abort();
    for (int64_t i = 0; i < (int64_t)s.bytes / 8; i++)
        place[i] = i;
    assert_true(guarded_is_unchanged_beside(&memory, (int64_t)s.bytes / 8, place));
    free(place);
    execution.scratch = (weft_buffer_destroy(&execution.scratch), NULL);
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution), WEFT_OK);
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, NULL), WEFT_OK);
    guarded_destroy(&memory);
    tear_down_scratch(&s);
}

static void scratch_that_does_not_do_is_refused(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    memset(s.out, 0x5a, 64);
    char *memory = malloc(2 * s.bytes);
    if (!memory) abort();
    weft_execution execution = {.scratch = wrap(memory, s.bytes - 1)};
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "at least");
    weft_buffer_destroy(&execution.scratch);
    assert_int_equal(
        weft_buffer_wrap_planar(device, memory, memory + s.bytes, s.bytes, &execution.scratch),
        WEFT_OK);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    execution.scratch = wrap(memory + 1, s.bytes);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "align");
    weft_buffer_destroy(&execution.scratch);
    for (int i = 0; i < 64; i++)
        assert_int_equal(((unsigned char *)s.out)[i], 0x5a);
    free(memory);
    tear_down_scratch(&s);
}

static void scratch_that_meets_the_data_is_refused(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    const float first = s.in[1];
    weft_execution execution = {.scratch = wrap(s.out, (size_t)LARGE * 16 * 8)};
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    execution.scratch = wrap(s.in, (size_t)LARGE * 16 * 8);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    assert_true(s.in[1] == first);
    tear_down_scratch(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_may_be_the_callers),
        cmocka_unit_test(scratch_that_does_not_do_is_refused),
        cmocka_unit_test(scratch_that_meets_the_data_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
