#define ROOT_RUNS    root_runs_basic
#define ROOT_LIST    root_list_basic
#define LANES        2
#define EACH_LANE(x) {x(0), x(1)}
#define ANY(flags)   (((flags)[0] | (flags)[1]) != 0)
#include "math/root_run_template.h"
