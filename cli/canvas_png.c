#include "canvas.h"

#include <png.h>
#include <setjmp.h>

static void on_error(png_structp png, png_const_charp message)
{
    failure_set(png_get_error_ptr(png), "the picture could not be written: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static bool write_rows(png_structp png, png_infop info, const canvas *c, FILE *file)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < c->height; y++) {
        png_write_row(png, (png_const_bytep)&c->pixels[(size_t)y * (size_t)c->width]);
    }
    png_write_end(png, info);
    return true;
}

bool canvas_write_png(const canvas *c, FILE *file, failure *why)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, why, on_error, on_warning);
    if (!png) return failure_set(why, "libpng could not be started");
    png_infop info = png_create_info_struct(png);
    bool good = info ? write_rows(png, info, c, file) : failure_memory(why, 0);
    png_destroy_write_struct(&png, &info);
    return good;
}
