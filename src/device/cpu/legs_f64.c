#define REAL double
#define LEGS codelet_by_legs_f64
#include "device/cpu/legs_template.h"
