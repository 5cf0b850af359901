/* Problems with hooks, against the same problem without them and the hooks applied apart. */
#ifndef TESTS_SUPPORT_HOOK_TRIAL_H
#define TESTS_SUPPORT_HOOK_TRIAL_H

#include "support/trial.h"

/* Gives the trial hooks, sometimes on one side alone. */
void hook_trial_choose(struct random *random, struct trial *trial);

/* Runs it on the device with random data, and the other way on the CPU. Returns NULL, or what was
 * wrong, in a buffer of the thread's. */
const char *hook_trial_run(const struct trial *trial, weft_device *device, weft_device *cpu,
                           weft_direction direction, struct random *random);

#endif
