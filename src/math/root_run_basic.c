#define ROOT_RUNS    root_runs_basic
#define LANES        2
#define EACH_LANE(x) {x(0), x(1)}
#include "math/root_run_template.h"
