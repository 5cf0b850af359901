/* A failing allocator, tried at every allocation. */
#ifndef WEFT_TESTS_FAILING_H
#define WEFT_TESTS_FAILING_H

#include "base/memory.h"
#include "weft/weft.h"

/* Runs it without its first allocation, without its second and so on until it succeeds: each time
 * it must say that memory was missing, and leave none behind. cmocka.h comes before. */
static inline void fail_each_allocation(weft_status (*run)(void *context), void *context)
{
    const int64_t before = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t successes = 0; status; successes++) {
        memory_fail_after(successes);
        status = run(context);
        memory_fail_after(-1);
        if (status) assert_int_equal(status, WEFT_ERROR_MEMORY);
        assert_int_equal(memory_live_blocks(), before);
    }
}

#endif
