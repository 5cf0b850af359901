#define REAL float
#define LEGS codelet_by_legs_f32
#include "device/cpu/legs_template.h"
