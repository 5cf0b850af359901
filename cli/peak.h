/* How fast this processor computes. */
#ifndef WEFT_CLI_PEAK_H
#define WEFT_CLI_PEAK_H

#include <weft/weft.h>

/* Operations a second of one thread that does nothing but multiply and add in registers, with the
 * widest vectors there are. Not a number where it is not known how to. */
double peak_rate(weft_precision precision);

#endif
