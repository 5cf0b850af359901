/* Transforms through Vulkan: the suite of devices, in buffers and command buffers of the caller's;
 * the validation layer has nothing to say. */
#include <stdio.h>

#include "support/device_suite.h"
#include "support/vulkan.h"

int main(void)
{
    struct test_vulkan vulkan = {0};
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_vulkan");
    const bool there = test_vulkan_open(&vulkan);
    const struct device_suite suite = {"vulkan:0", vulkan.weft, test_vulkan_trial(&vulkan)};
    int failures = device_suite_run(&suite);
    if (there) test_vulkan_close(&vulkan);
    if (test_vulkan_messages()[0]) {
        printf("the validation layer says:\n%s\n", test_vulkan_messages());
        failures++;
    }
    return failures;
}
