/* Codelets that are made of a butterfly, CODELET_STEP_PLAIN of their radix, when called. */
#ifndef WEFT_DEVICE_CPU_LEGS_H
#define WEFT_DEVICE_CPU_LEGS_H

#include "device/cpu/codelet.h"
#include "kernel/codelet.h"

/* What the codelet of the shape's kind and radix does. */
codelet_function codelet_by_legs_f32, codelet_by_legs_f64;

#endif
