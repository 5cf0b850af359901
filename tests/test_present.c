/* Whether there can be a GPU. */
#define _GNU_SOURCE /* setenv, mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/gpu/present.h"

#define VARIABLE "WEFT_TEST_LIBRARY"

static void a_gpu_has_a_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft_present_XXXXXX", dri[64];
    assert_non_null(mkdtemp(folder));
    snprintf(dri, sizeof dri, "%s/dri", folder);
    unsetenv(VARIABLE);
#ifdef __linux__
    assert_false(gpu_may_be_present_in(folder, VARIABLE));
#endif
    assert_int_equal(mkdir(dri, 0700), 0);
    assert_true(gpu_may_be_present_in(folder, VARIABLE));
    rmdir(dri);
    rmdir(folder);
}

static void who_names_a_library_has_it_asked(void **state)
{
    (void)state;
    setenv(VARIABLE, "", 1);
    assert_true(gpu_may_be_present_in("/nowhere", VARIABLE));
    unsetenv(VARIABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_has_a_file),
        cmocka_unit_test(who_names_a_library_has_it_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
