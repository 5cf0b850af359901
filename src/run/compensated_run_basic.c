#define COMPENSATED_RUN compensated_run_basic
#include "run/compensated_run.h"
