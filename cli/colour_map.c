#include "colour_map.h"

#include <math.h>

/* The map is a path through Oklab, where equal distances look equal (B. Ottosson, "A perceptual
 * color space for image processing", 2020): the lightness rises evenly while the hue turns from
 * violet over teal to yellow. */
typedef struct oklab {
    double lightness, green_red, blue_yellow;
} oklab;

/* At equal steps of the value. Every one lies inside sRGB. */
static const struct {
    double lightness, chroma, hue; /* the hue in degrees */
} path[] = {
    {0.16, 0.050, 285}, {0.26, 0.105, 287}, {0.36, 0.120, 278},
    {0.46, 0.100, 255}, {0.56, 0.095, 215}, {0.66, 0.115, 170},
    {0.76, 0.145, 145}, {0.86, 0.160, 118}, {0.96, 0.110, 105},
};

enum { PATH_POINTS = sizeof path / sizeof path[0] };

static oklab path_point(int i)
{
    double hue = path[i].hue * acos(-1) / 180;
    return (oklab){path[i].lightness, path[i].chroma * cos(hue), path[i].chroma * sin(hue)};
}

static unsigned char encode(double linear)
{
    double value = fmin(fmax(linear, 0), 1);
    double srgb = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * srgb);
}

static double cube(double x)
{
    return x * x * x;
}

/* Ottosson's matrices from Oklab to linear sRGB. */
static colour to_srgb(oklab c)
{
    double l = cube(c.lightness + 0.3963377774 * c.green_red + 0.2158037573 * c.blue_yellow);
    double m = cube(c.lightness - 0.1055613458 * c.green_red - 0.0638541728 * c.blue_yellow);
    double s = cube(c.lightness - 0.0894841775 * c.green_red - 1.2914855480 * c.blue_yellow);
    return (colour){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                    encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

colour colour_map(double value)
{
    double place = value > 0 ? fmin(value, 1) * (PATH_POINTS - 1) : 0; /* 0 also for no number */
    int i = place < PATH_POINTS - 1 ? (int)place : PATH_POINTS - 2;
    double t = place - i;
    oklab a = path_point(i), b = path_point(i + 1);
    return to_srgb((oklab){a.lightness + t * (b.lightness - a.lightness),
                           a.green_red + t * (b.green_red - a.green_red),
                           a.blue_yellow + t * (b.blue_yellow - a.blue_yellow)});
}
