#include "grey.h"

#include <math.h>

void grey_draw(canvas *c, const array *picture, double grey)
{
    const int64_t rows = picture->size[0], columns = picture->size[1];
    for (int64_t y = 0; y < rows; y++) {
        for (int64_t x = 0; x < columns; x++) {
            const double value = array_real(picture, y * columns + x) / picture->white + grey;
            const unsigned char level = (unsigned char)lround(255 * fmin(fmax(value, 0), 1));
            canvas_blend(c, (int)x, (int)y, (colour){level, level, level}, 1);
        }
    }
}

bool grey_write(const array *picture, double grey, FILE *file, failure *why)
{
    canvas c;
    if (!canvas_create(&c, (int)picture->size[1], (int)picture->size[0], why)) return false;
    grey_draw(&c, picture, grey);
    bool good = canvas_write_png(&c, file, why);
    canvas_destroy(&c);
    return good;
}
