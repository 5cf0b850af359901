#include "input.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

/* No compressed data unpacks to more than 1032 times its length (the DEFLATE format's limit, see
 * zlib's technical notes); a header that claims more than this factor is lying. */
enum { MOST_EXPANSION = 1100, MOST_PIXELS_A_SIDE = 1 << 20, MOST_CHUNK_BYTES = 1 << 24 };

/* How much each channel of a pixel counts: ITU-R BT.709, item 3.2. */
static const double grey_weights[] = {1};
static const double colour_weights[] = {0.2126, 0.7152, 0.0722};

typedef struct png_reading {
    png_structp png;
    png_infop info;
    failure *why;
    png_bytep samples; /* all rows */
    png_bytepp rows;   /* where each starts */
    size_t row_bytes;
    size_t packed_row_bytes; /* as in the file, before samples are widened and palettes looked up */
    uint32_t height, width;
    int channels, depth;
    bool had_colour, had_transparency;
} png_reading;

static void on_error(png_structp png, png_const_charp message)
{
    png_reading *reading = png_get_error_ptr(png);
    failure_set(reading->why, "damaged PNG: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Runs a step that libpng may leave by a long jump. Every variable that lives across the jump is in
 * *reading, so that none is in a register the jump restores. */
static bool guarded(png_reading *reading, void (*step)(png_reading *reading))
{
    if (setjmp(png_jmpbuf(reading->png))) return false;
    step(reading);
    return true;
}

/* Reads everything before the pixels, and asks for 8 or 16 bits of grey or of RGB. */
static void read_description(png_reading *reading)
{
    png_structp png = reading->png;
    png_set_user_limits(png, MOST_PIXELS_A_SIDE, MOST_PIXELS_A_SIDE);
    png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
    png_read_info(png, reading->info);
    reading->packed_row_bytes = png_get_rowbytes(png, reading->info);
    int colour = png_get_color_type(png, reading->info);
    reading->had_colour = colour & PNG_COLOR_MASK_COLOR;
    reading->had_transparency =
        colour & PNG_COLOR_MASK_ALPHA || png_get_valid(png, reading->info, PNG_INFO_tRNS);
    png_set_expand(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, reading->info);
    reading->height = png_get_image_height(png, reading->info);
    reading->width = png_get_image_width(png, reading->info);
    reading->channels = png_get_channels(png, reading->info);
    reading->depth = png_get_bit_depth(png, reading->info);
    reading->row_bytes = png_get_rowbytes(png, reading->info);
}

static void read_pixels(png_reading *reading)
{
    png_read_image(reading->png, reading->rows);
    png_read_end(reading->png, NULL);
}

static bool allocate_rows(png_reading *reading, int64_t file_bytes, failure *why)
{
    size_t bytes = reading->row_bytes * reading->height; /* both at most 2^23: no overflow */
    size_t packed_bytes = reading->packed_row_bytes * reading->height;
    if (packed_bytes / MOST_EXPANSION > (uint64_t)file_bytes) {
        return failure_set(why, "the file is too short for the %u x %u pixels that it claims",
                           reading->width, reading->height);
    }
    reading->samples = calloc(1, bytes);
    reading->rows = malloc(reading->height * sizeof *reading->rows);
    if (!reading->samples || !reading->rows) return failure_memory(why, bytes);
    for (uint32_t y = 0; y < reading->height; y++) {
        reading->rows[y] = reading->samples + y * reading->row_bytes;
    }
    return true;
}

/* The index-th sample of a row; 16-bit samples are stored with the high byte first. */
static double sample(const png_reading *reading, png_const_bytep row, size_t index)
{
    if (reading->depth == 8) return row[index];
    return row[2 * index] << 8 | row[2 * index + 1];
}

static void convert_row(const png_reading *reading, uint32_t y, array *a)
{
    size_t channels = (size_t)reading->channels;
    const double *weights = channels == 1 ? grey_weights : colour_weights;
    for (uint32_t x = 0; x < reading->width; x++) {
        double value = 0;
        for (size_t c = 0; c < channels; c++) {
            value += weights[c] * sample(reading, reading->rows[y], x * channels + c);
        }
        array_set(a, (int64_t)y * reading->width + x, value, 0);
    }
}

static void note_conversion(const png_reading *reading, array *a)
{
    const char *colour = reading->had_colour ? "colours combined to luminance (Rec. 709)" : "";
    const char *transparency = reading->had_transparency ? "transparency ignored" : "";
    snprintf(a->note, sizeof a->note, "%s%s%s", colour, *colour && *transparency ? ", " : "",
             transparency);
}

static bool convert(const png_reading *reading, weft_precision precision, array *a, failure *why)
{
    if (reading->channels != 1 && reading->channels != 3) {
        return failure_set(why, "%d channels a pixel; 1 or 3 were expected", reading->channels);
    }
    const int64_t size[] = {reading->height, reading->width};
    if (!array_create(a, 2, size, precision, why)) return false;
    a->origin = ARRAY_IMAGE;
    a->is_real = true;
    a->white = reading->depth == 8 ? 255 : 65535;
    note_conversion(reading, a);
    for (uint32_t y = 0; y < reading->height; y++)
        convert_row(reading, y, a);
    return true;
}

static bool read_picture(png_reading *reading, FILE *file, int64_t bytes, weft_precision precision,
                         array *a)
{
    reading->info = png_create_info_struct(reading->png);
    if (!reading->info) return failure_memory(reading->why, 0);
    png_init_io(reading->png, file);
    return guarded(reading, read_description) && allocate_rows(reading, bytes, reading->why) &&
           guarded(reading, read_pixels) && convert(reading, precision, a, reading->why);
}

bool input_read_png(FILE *file, int64_t bytes, precision_choice precision, array *a, failure *why)
{
    png_reading reading = {.why = why};
    *a = (array){0};
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning);
    if (!reading.png) return failure_set(why, "libpng could not be started");
    weft_precision chosen = precision == PRECISION_F64 ? WEFT_F64 : WEFT_F32;
    bool good = read_picture(&reading, file, bytes, chosen, a);
    free(reading.rows);
    free(reading.samples);
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    return good;
}
