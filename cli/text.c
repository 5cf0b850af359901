/* A stroke face. Each letter is a list of strokes on a grid, with a blank between strokes and a
 * pair of hexadecimal digits, x and y, for every point: tops of capitals at y = 0, of small letters
 * at 3, the base line at 9, descenders to c. A stroke that starts with '~' is a curve, whose inner
 * points pull it (a uniform quadratic B-spline with clamped ends); the others are straight. */
#include "segment.h"

#include <math.h>
#include <stddef.h>

#define CAPITAL_UNITS 9.0  /* grid units in the height of a capital */
#define LETTER_GAP    2.7  /* between letters */
#define BLANK_UNITS   2.2  /* a blank's own width */
#define STROKE_UNITS  1.15 /* how thick strokes are */

enum {
    FIRST_LETTER = ' ',
    LAST_LETTER = '~',
    MOST_POINTS = 16,
    MOST_SEGMENTS = 64,
    CURVE_STEPS = 5
};

static const char *const letters[] = {
    /* blank ! " # $ % & ' */
    "",
    "0006 0809",
    "0002 2022",
    "1019 5059 0363 0666",
    "~6260000465690907 303a",
    "600a ~102023030010 ~566669494656",
    "~691210404305094965",
    "0002",
    /* ( ) * + , - . / */
    "~2003082b",
    "~0023280b",
    "3236 1355 5315",
    "3339 0666",
    "08191b0b",
    "0646",
    "0809",
    "500a",
    /* 0 to 9 */
    "~306069090030",
    "123039",
    "~020060642709 0969",
    "~0100606424 ~2464690907",
    "49400666",
    "601004 ~042363690907",
    "~346469090434 ~06004061",
    "006029",
    "~305054141030 ~346469090434",
    "~306065050030 ~63692908",
    /* : ; < = > ? @ */
    "0304 0809",
    "1314 18190b",
    "520658",
    "0464 0767",
    "025608",
    "~0200606434 3436 3839",
    "~532327475353 ~5348767060000969",
    /* A to Z */
    "093069 1656",
    "30000939 0434 ~30606434 ~34646939",
    "~626000096967",
    "20000929 ~20606929",
    "60000969 0454",
    "600009 0454",
    "~626000096965 6535",
    "0009 6069 0464",
    "0009",
    "4046 ~46490907",
    "0009 6005 2369",
    "000959",
    "0900366069",
    "09006960",
    "~306069090030",
    "090030 ~30606535 3505",
    "~306069090030 466a",
    "090030 ~30606434 3404 3469",
    "~6260000465690907",
    "0060 3039",
    "0005 ~05096965 6560",
    "003960",
    "0029426980",
    "0069 6009",
    "003460 3439",
    "00600969",
    /* [ \ ] ^ _ ` */
    "20000b2b",
    "005a",
    "00202b0b",
    "032043",
    "0a6a",
    "0012",
    /* a to m */
    "5359 ~555303095957",
    "0009 ~050353590907",
    "~555303095957",
    "5059 ~555303095957",
    "0656 ~565303094958",
    "~40101415 1519 0343",
    "~555303095957 535a ~5a5c0c0b",
    "0009 ~05035356 5659",
    "0309 0001",
    "131a ~1a1c0c 1011",
    "0009 4306 1549",
    "0009",
    "0309 ~05034346 4649 ~45438386 8689",
    /* n to z */
    "0309 ~05035356 5659",
    "~235359090323",
    "030c ~050353590907",
    "535c ~555303095957",
    "0309 ~060343",
    "~4443030547490908",
    "1017 ~171939 0343",
    "0306 ~06095957 5359",
    "032943",
    "0319345963",
    "0349 4309",
    "0329 431c",
    "03430949",
    /* { | } ~ */
    "~30101606 ~06161b3b",
    "000c",
    "~00202636 ~36262b0b",
    "~06134855",
};

typedef struct point {
    double x, y;
} point;

/* Where a letter is drawn: its origin on the base line, and how far a grid unit reaches. */
typedef struct place {
    double x, y, unit;
    bool upright;
} place;

typedef struct outline {
    segment segments[MOST_SEGMENTS];
    int count;
} outline;

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static const char *letter_strokes(char letter)
{
    if (letter < FIRST_LETTER || letter > LAST_LETTER) letter = '?';
    return letters[letter - FIRST_LETTER];
}

static double letter_units(char letter)
{
    double widest = letter == ' ' ? BLANK_UNITS : 0;
    for (const char *s = letter_strokes(letter); *s; s++) {
        if (*s == ' ' || *s == '~') continue;
        widest = fmax(widest, digit(*s));
        s++;
    }
    return widest;
}

static point on_canvas(const place *where, point p)
{
    double right = p.x * where->unit, down = (p.y - CAPITAL_UNITS) * where->unit;
    if (where->upright) return (point){where->x + down, where->y - right};
    return (point){where->x + right, where->y + down};
}

static void add_segment(outline *o, const place *where, point from, point to)
{
    if (o->count == MOST_SEGMENTS) return;
    point a = on_canvas(where, from), b = on_canvas(where, to);
    o->segments[o->count++] = (segment){a.x, a.y, b.x, b.y};
}

static point middle(point a, point b)
{
    return (point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

static void add_arc(outline *o, const place *where, point from, point pull, point to)
{
    point last = from;
    for (int i = 1; i <= CURVE_STEPS; i++) {
        double t = (double)i / CURVE_STEPS, s = 1 - t;
        point next = {s * s * from.x + 2 * s * t * pull.x + t * t * to.x,
                      s * s * from.y + 2 * s * t * pull.y + t * t * to.y};
        add_segment(o, where, last, next);
        last = next;
    }
}

static void add_curve(outline *o, const place *where, const point *points, int count)
{
    point from = points[0];
    for (int i = 1; i < count - 1; i++) {
        point to = i == count - 2 ? points[count - 1] : middle(points[i], points[i + 1]);
        add_arc(o, where, from, points[i], to);
        from = to;
    }
}

/* Adds one stroke and returns what follows it. */
static const char *add_stroke(outline *o, const place *where, const char *stroke)
{
    point points[MOST_POINTS];
    int count = 0;
    bool curved = *stroke == '~';
    if (curved) stroke++;
    for (; *stroke && *stroke != ' '; stroke += 2) {
        points[count++] = (point){digit(stroke[0]), digit(stroke[1])};
    }
    if (curved) {
        add_curve(o, where, points, count);
    } else {
        for (int i = 1; i < count; i++)
            add_segment(o, where, points[i - 1], points[i]);
    }
    return *stroke ? stroke + 1 : stroke;
}

static void draw_letter(canvas *c, const place *where, char letter, colour ink)
{
    outline o = {.count = 0};
    for (const char *s = letter_strokes(letter); *s;)
        s = add_stroke(&o, where, s);
    canvas_segments(c, o.segments, o.count, STROKE_UNITS * where->unit, ink);
}

double canvas_text_width(double size, const char *text)
{
    double units = 0;
    for (const char *t = text; *t; t++)
        units += letter_units(*t) + (t[1] ? LETTER_GAP : 0);
    return units * size / CAPITAL_UNITS;
}

void canvas_text(canvas *c, double x, double y, text_anchor anchor, double size, bool upright,
                 colour ink, const char *text)
{
    place where = {x, y, size / CAPITAL_UNITS, upright};
    double back = canvas_text_width(size, text) * anchor / 2; /* start 0, middle 1, end 2 */
    double *along = upright ? &where.y : &where.x;
    double sense = upright ? -1 : 1;
    *along -= sense * back;
    for (const char *t = text; *t; t++) {
        draw_letter(c, &where, *t, ink);
        *along += sense * (letter_units(*t) + LETTER_GAP) * where.unit;
    }
}
