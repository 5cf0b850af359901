/* Line charts with a logarithmic horizontal axis, as SVG. */
#ifndef WEFT_CLI_PLOT_H
#define WEFT_CLI_PLOT_H

#include <stdbool.h>
#include <stdint.h>

struct plot_point {
    double x, y;
    bool joined;       /* by a line to the next joined one */
    const char *label; /* shown when pointed at */
};

struct plot_series {
    const char *name;
    const char *color;
    const struct plot_point *point; /* by increasing x */
    int64_t count;
    bool limit; /* what the others stay below: a dashed line, for which no room is made */
};

struct plot_panel {
    const char *title;
    const struct plot_series *series;
    int series_count;
    const char *level_name; /* a limit that is the same everywhere, at level; NULL: none */
    double level;
};

struct plot {
    const char *title;
    const char *x_label, *y_label;
    const struct plot_panel *panel; /* one below the other */
    int panel_count;
};

/* false: the file could not be written; errno says why. */
bool plot_write(const struct plot *plot, const char *path);

#endif
