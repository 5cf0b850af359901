/* Programs of passes that are codelets from place to place and nothing else, as small images are:
 * a list of what to call, so that no pass is looked into as they run. (Experiment "links" in
 * docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_LINKS_H
#define WEFT_DEVICE_CPU_LINKS_H

#include "device/cpu/engine.h"

/* Finds the shortcut of kernels that are straight, pass by pass; the list is the first one's. False:
 * some pass is more than that, or the list would be long, or there is no memory. */
bool links_find(struct kernel *const *kernel, const struct program *program,
                struct pass_shortcut *shortcut);

#endif
