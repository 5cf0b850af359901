#define REAL double
#define GENERAL_TABLE cpu_general_f64
#include "device/cpu/general_template.h"
