#include "frame.h"

#include "colour_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const colour frame_ink = {45, 48, 56};
const colour frame_line = {24, 84, 140};
static const colour grid_ink = {222, 225, 230};

/* Distances in pixels. */
enum {
    MARGIN_LEFT = 104,
    MARGIN_RIGHT = 36,
    MARGIN_RIGHT_OF_BAR = 130, /* with the gap, the bar, its numbers and its label */
    MARGIN_TOP = 84,
    MARGIN_BOTTOM = 78,
    BAR_GAP = 22,
    BAR_WIDTH = 20,
    TICK = 6,
    TICK_SPACING_X = 95, /* at least, between labelled ticks */
    TICK_SPACING_Y = 48,
    TITLE_LINE = 40, /* base lines, from the top */
    SUBTITLE_LINE = 66,
    NUMBER_LINE = 24, /* from the lower end of the area */
    LABEL_LINE = 56,
    LABEL_CAPACITY = 32,
    TITLE_CAPACITY = 200
};

/* Heights of capitals. */
#define TITLE_SIZE  13.0
#define TEXT_SIZE   9.5
#define NUMBER_SIZE 9.0

bool frame_create(frame *f, int width, int height, bool with_bar, failure *why)
{
    *f = (frame){.left = MARGIN_LEFT, .top = MARGIN_TOP, .width = width, .height = height};
    int right = with_bar ? MARGIN_RIGHT_OF_BAR : MARGIN_RIGHT;
    return canvas_create(&f->canvas, MARGIN_LEFT + width + right,
                         MARGIN_TOP + height + MARGIN_BOTTOM, why);
}

void frame_destroy(frame *f)
{
    canvas_destroy(&f->canvas);
}

double frame_place_x(const frame *f, double value)
{
    return f->left + (value - f->x.low) / (f->x.high - f->x.low) * f->width;
}

double frame_place_y(const frame *f, double value)
{
    return f->top + f->height - (value - f->y.low) / (f->y.high - f->y.low) * f->height;
}

/* The smallest of 1, 2, 5 times a power of ten that makes at most `most` steps. */
static double tick_step(const frame_axis *axis, double most)
{
    double least = fabs(axis->high - axis->low) / fmax(most, 1);
    double power = pow(10, floor(log10(least)));
    double factor = least / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

/* The ticks of an axis are step * first ... step * last. */
typedef struct ticks {
    double step;
    long first, last;
} ticks;

static ticks choose_ticks(const frame_axis *axis, int pixels, int spacing)
{
    ticks t = {.step = tick_step(axis, (double)pixels / spacing)};
    double slack = 1e-9; /* of a step, so that rounding does not lose the ends */
    t.first = (long)ceil(fmin(axis->low, axis->high) / t.step - slack);
    t.last = (long)floor(fmax(axis->low, axis->high) / t.step + slack);
    return t;
}

static void print_tick(char text[LABEL_CAPACITY], const ticks *t, long i)
{
    int decimals = (int)fmax(0, -floor(log10(t->step) + 1e-9));
    snprintf(text, LABEL_CAPACITY, "%.*f", decimals, i == 0 ? 0.0 : t->step * (double)i);
}

/* Middle of the pixel at a place, where a line one pixel wide is sharp. */
static double sharp(double place)
{
    return floor(place) + 0.5;
}

void frame_draw_grid(frame *f)
{
    ticks t = choose_ticks(&f->x, f->width, TICK_SPACING_X);
    for (long i = t.first; i <= t.last; i++) {
        int x = (int)frame_place_x(f, t.step * (double)i);
        canvas_fill(&f->canvas, x, f->top, 1, f->height, grid_ink);
    }
    t = choose_ticks(&f->y, f->height, TICK_SPACING_Y);
    for (long i = t.first; i <= t.last; i++) {
        int y = (int)frame_place_y(f, t.step * (double)i);
        canvas_fill(&f->canvas, f->left, y, f->width, 1, grid_ink);
    }
}

static void draw_x_axis(frame *f)
{
    ticks t = choose_ticks(&f->x, f->width, TICK_SPACING_X);
    double bottom = f->top + f->height;
    for (long i = t.first; i <= t.last; i++) {
        char text[LABEL_CAPACITY];
        double x = frame_place_x(f, t.step * (double)i);
        print_tick(text, &t, i);
        canvas_line(&f->canvas, sharp(x), bottom, sharp(x), bottom + TICK, 1, frame_ink);
        canvas_text(&f->canvas, x, bottom + NUMBER_LINE, TEXT_MIDDLE, NUMBER_SIZE, false, frame_ink,
                    text);
    }
    canvas_text(&f->canvas, f->left + f->width / 2.0, bottom + LABEL_LINE, TEXT_MIDDLE, TEXT_SIZE,
                false, frame_ink, f->x.label);
}

static void draw_y_axis(frame *f)
{
    ticks t = choose_ticks(&f->y, f->height, TICK_SPACING_Y);
    for (long i = t.first; i <= t.last; i++) {
        char text[LABEL_CAPACITY];
        double y = frame_place_y(f, t.step * (double)i);
        print_tick(text, &t, i);
        canvas_line(&f->canvas, f->left - TICK, sharp(y), f->left, sharp(y), 1, frame_ink);
        canvas_text(&f->canvas, f->left - 2 * TICK, y + NUMBER_SIZE / 2, TEXT_END, NUMBER_SIZE,
                    false, frame_ink, text);
    }
    canvas_text(&f->canvas, MARGIN_LEFT * 0.3, f->top + f->height / 2.0, TEXT_MIDDLE, TEXT_SIZE,
                true, frame_ink, f->y.label);
}

static void draw_box(canvas *c, int x, int y, int width, int height)
{
    canvas_fill(c, x - 1, y - 1, width + 2, 1, frame_ink);
    canvas_fill(c, x - 1, y + height, width + 2, 1, frame_ink);
    canvas_fill(c, x - 1, y, 1, height, frame_ink);
    canvas_fill(c, x + width, y, 1, height, frame_ink);
}

static void draw_title(frame *f, double size, double y, const char *text)
{
    char shown[TITLE_CAPACITY];
    double room = f->canvas.width - f->left - MARGIN_RIGHT / 2.0;
    snprintf(shown, sizeof shown, "%s", text);
    for (size_t length = strlen(shown); length > 3 && canvas_text_width(size, shown) > room;) {
        length--;
        memcpy(shown + length - 3, "...", 4);
    }
    canvas_text(&f->canvas, f->left, y, TEXT_START, size, false, frame_ink, shown);
}

void frame_draw(frame *f, const char *title, const char *subtitle)
{
    draw_title(f, TITLE_SIZE, TITLE_LINE, title);
    draw_title(f, TEXT_SIZE, SUBTITLE_LINE, subtitle);
    draw_box(&f->canvas, f->left, f->top, f->width, f->height);
    draw_x_axis(f);
    draw_y_axis(f);
}

static void draw_bar_ticks(frame *f, int x, const frame_axis *meaning)
{
    ticks t = choose_ticks(meaning, f->height, TICK_SPACING_Y);
    for (long i = t.first; i <= t.last; i++) {
        char text[LABEL_CAPACITY];
        double share = (t.step * (double)i - meaning->low) / (meaning->high - meaning->low);
        double y = f->top + f->height * (1 - share);
        print_tick(text, &t, i);
        canvas_line(&f->canvas, x, sharp(y), x + TICK, sharp(y), 1, frame_ink);
        canvas_text(&f->canvas, x + 2 * TICK, y + NUMBER_SIZE / 2, TEXT_START, NUMBER_SIZE, false,
                    frame_ink, text);
    }
}

void frame_draw_bar(frame *f, const frame_axis *meaning)
{
    int x = f->left + f->width + BAR_GAP;
    for (int y = 0; y < f->height; y++) {
        colour shade = colour_map(1 - (y + 0.5) / f->height);
        canvas_fill(&f->canvas, x, f->top + y, BAR_WIDTH, 1, shade);
    }
    draw_box(&f->canvas, x, f->top, BAR_WIDTH, f->height);
    draw_bar_ticks(f, x + BAR_WIDTH, meaning);
    canvas_text(&f->canvas, f->canvas.width - TICK * 2, f->top + f->height / 2.0, TEXT_MIDDLE,
                TEXT_SIZE, true, frame_ink, meaning->label);
}
