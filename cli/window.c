#include "window.h"

#include <stdio.h>
#include <string.h>

#include "weft/weft.h"

/* In t, the angle, which is 2 pi k / n. The coefficients are those of F. J. Harris, "On the use of
 * windows for harmonic analysis with the discrete Fourier transform", 1978; A. H. Nuttall, "Some
 * windows with very good sidelobe behavior", 1981; and G. D'Antona and A. Ferrero, "Digital signal
 * processing for measurement systems", 2006. */
static const struct {
    const char *name, *formula;
} windows[] = {
    {"hann", ".5-.5*cos(t)"},
    {"hamming", ".54-.46*cos(t)"},
    {"blackman", ".42-.5*cos(t)+.08*cos(2*t)"},
    {"nuttall", ".355768-.487396*cos(t)+.144232*cos(2*t)-.012604*cos(3*t)"},
    {"flattop", ".21557895-.41663158*cos(t)+.277263158*cos(2*t)-.083578947*cos(3*t)"
                "+.006947368*cos(4*t)"},
    {"sine", "sin(t/2)"},
    {"bartlett", "1-abs(t/pi-1)"},
};

static const char *formula_of(const char *name)
{
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (strcmp(name, windows[i].name) == 0) return windows[i].formula;
    }
    return NULL;
}

bool window_exists(const char *name)
{
    return formula_of(name) != NULL;
}

bool window_expression(const char *name, uint32_t axes, char *text, size_t capacity)
{
    size_t length = 0;
    for (int i = 0; i < WEFT_MAX_RANK; i++) {
        if (!(axes >> i & 1)) continue;
        const int added = snprintf(text + length, capacity - length,
                                   "let t=2*pi*k%d/n%d;let x=x*(%s);", i, i, formula_of(name));
        if (added < 0 || (size_t)added >= capacity - length) return false;
        length += (size_t)added;
    }
    return snprintf(text + length, capacity - length, "x") < (int)(capacity - length);
}
