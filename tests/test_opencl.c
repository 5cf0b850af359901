/* Transforms through OpenCL: the suite of devices. */
#include "support/device_suite.h"
#include "support/opencl.h"

int main(void)
{
    struct test_opencl opencl = {0};
    test_opencl_prepare(WEFT_BINARY_DIR);
    const bool there = test_opencl_open(&opencl);
    const struct device_suite suite = {"opencl:0", opencl.device, test_opencl_trial(&opencl)};
    const int failures = device_suite_run(&suite);
    if (there) test_opencl_close(&opencl);
    return failures;
}
