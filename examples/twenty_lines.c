/* Transforms eight samples of a wave; prints the strength of each frequency.
 *     cc twenty_lines.c $(pkg-config --cflags --libs weft) -lm */
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>

int main(void)
{
    float wave[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    float spectrum[8][2];
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 8;
    if (weft_device_open(NULL, &device) || weft_plan_create(device, &params, &plan) ||
        weft_buffer_wrap(device, wave, sizeof wave, &in) ||
        weft_buffer_wrap(device, spectrum, sizeof spectrum, &out) ||
        weft_execute(plan, WEFT_FORWARD, in, out))
        return puts(weft_last_error()), 1;
    for (int k = 0; k < 8; k++) printf("%d %g\n", k, hypotf(spectrum[k][0], spectrum[k][1]));
    weft_buffer_destroy(&out);
    weft_buffer_destroy(&in);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}
