/* Takes fine stripes out of the green channel of a picture whose other channels stay as they are,
 * by the interface of Lloyd et al. (weft/configure.h): configured once, computed there and back.
 *     cc one_channel.c $(pkg-config --cflags --libs weft) -lm */
#include <math.h>
#include <stdio.h>
#include <weft/configure.h>

enum { WIDTH = 64, HEIGHT = 48, CHANNELS = 3, GREEN = 1, HALF = WIDTH / 2 + 1, STRIPES = 20 };

static float picture[HEIGHT][WIDTH][CHANNELS];
static float spectrum[HEIGHT][HALF][2];

static const double turn = 6.28318530717958647692;

/* A broad wave in every channel, and stripes that are STRIPES to the width. */
static void draw(void)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < CHANNELS; c++)
                picture[y][x][c] = (float)(0.3 * cos(turn * x / WIDTH) * cos(turn * y / HEIGHT) +
                                           0.1 * cos(turn * STRIPES * x / WIDTH) + 0.5);
        }
    }
}

/* How strong the stripes of a channel are. */
static double stripes(int channel)
{
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += picture[y][x][channel] * cos(turn * STRIPES * x / WIDTH);
    return 2 * sum / (WIDTH * HEIGHT);
}

/* Everything above a quarter of a turn from column to column. */
static void take_out_fine_columns(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int k = WIDTH / 4; k < HALF; k++) spectrum[y][k][0] = spectrum[y][k][1] = 0;
}

static int filter(weft_configuration *configuration, weft_buffer *space, weft_buffer *frequencies)
{
    const weft_computation green = {
        .spatial = {.origin = {0, 0}, .channels = CHANNELS, .channel = GREEN}};
    if (weft_compute_with(configuration, 0, space, frequencies, &green)) return 0;
    take_out_fine_columns();
    return weft_compute_with(configuration, 1, frequencies, space, &green) == WEFT_OK;
}

int main(void)
{
    weft_device *device = NULL;
    weft_configuration *configuration = NULL;
    weft_buffer *space = NULL, *frequencies = NULL;
    draw();
    const int64_t size[2] = {WIDTH, HEIGHT};
    const int done =
        !weft_device_open(NULL, &device) &&
        !weft_configure(device, WEFT_REAL, WEFT_HALF_COMPLEX, size, WIDTH, HALF,
                        WEFT_ROWS | WEFT_COLUMNS, &configuration) &&
        !weft_buffer_wrap(device, picture, sizeof picture, &space) &&
        !weft_buffer_wrap(device, spectrum, sizeof spectrum, &frequencies) &&
        filter(configuration, space, frequencies);
    if (!done) fprintf(stderr, "%s\n", weft_last_error());
    for (int c = 0; done && c < CHANNELS; c++)
        printf("%s: stripes of %.3f\n", (const char *[]){"red", "green", "blue"}[c],
               fabs(stripes(c)));
    weft_buffer_destroy(&frequencies);
    weft_buffer_destroy(&space);
    weft_configuration_destroy(&configuration);
    weft_device_close(&device);
    return !done;
}
