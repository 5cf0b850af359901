/* Programs of passes that are nothing but codelets, as small images are: a list of what to call in
 * each direction, so that no pass is looked into as they run. (Experiment "links" in
 * docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_LINKS_H
#define WEFT_DEVICE_CPU_LINKS_H

#include "device/cpu/engine.h"

/* Finds the shortcut of kernels that are straight, between pairs and reals; the lists are the first
 * one's. False: some pass is more than that, or lists would be long, or there is no memory. */
bool links_find(struct kernel *const *kernel, const struct program *program,
                struct pass_shortcut *shortcut);

/* Likewise of a straight kernel from the input to the output. */
bool links_find_pass(const struct kernel *kernel, struct pass_shortcut *shortcut);

#endif
