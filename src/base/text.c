#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_CAPACITY 256
/* "-1.7976931348623157e+308" and a decimal point of several bytes fit with room to spare. */
#define NUMBER_BYTES 64

static void fail(struct text *t)
{
    text_free(t);
    t->failed = true;
}

/* Makes room for `more` characters and the final 0. */
static bool reserve(struct text *t, size_t more)
{
    if (more < t->capacity - t->length) return true;
    size_t capacity = t->capacity ? t->capacity : FIRST_CAPACITY;
    while (capacity - t->length <= more) {
        if (capacity > SIZE_MAX / 2) return false;
        capacity *= 2;
    }
    char *data = memory_alloc(capacity);
    if (!data) return false;
    if (t->length > 0) memcpy(data, t->data, t->length);
    data[t->length] = 0;
    memory_free(t->data);
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_append(struct text *t, const char *format, ...)
{
    if (t->failed) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t room = t->capacity - t->length;
    int wanted = vsnprintf(room ? t->data + t->length : NULL, room, format, arguments);
    if (wanted < 0 || !reserve(t, (size_t)wanted)) {
        fail(t);
    } else {
        if ((size_t)wanted >= room) {
            vsnprintf(t->data + t->length, (size_t)wanted + 1, format, again);
        }
        t->length += (size_t)wanted;
    }
    va_end(again);
    va_end(arguments);
}

void text_append_bytes(struct text *t, const void *data, size_t bytes)
{
    if (t->failed || bytes == 0) return;
    if (!reserve(t, bytes)) {
        fail(t);
        return;
    }
    memcpy(t->data + t->length, data, bytes);
    t->length += bytes;
    t->data[t->length] = 0;
}

void text_string(struct text *t, const char *string)
{
    text_append_bytes(t, string, strlen(string));
}

void text_integer(struct text *t, int64_t value)
{
    char digits[24], *first = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) *--first = '-';
    text_append_bytes(t, first, (size_t)(digits + sizeof digits - first));
}

/* In what printf makes of a finite number everything but digits, signs and the e of the exponent is
 * the locale's decimal point, whatever its bytes. */
static void restore_point(char *number)
{
    static const char others[] = "0123456789+-e";
    char *point = number + strspn(number, others);
    if (*point == 0) return;
    char *after = point + strcspn(point, others);
    *point = '.';
    memmove(point + 1, after, strlen(after) + 1);
}

void text_number(struct text *t, double value, int significant_digits)
{
    char number[NUMBER_BYTES];
    snprintf(number, sizeof number, "%.*g", significant_digits, value);
    if (isfinite(value)) restore_point(number);
    text_append(t, "%s", number);
}

static void append_literal(struct text *t, char *number)
{
    restore_point(number);
    text_string(t, number);
    if (!strpbrk(number, ".e")) text_string(t, ".0");
}

static void append_no_number(struct text *t, double value)
{
    text_string(t, isnan(value) ? "(0.0/0.0)" : value > 0 ? "(1.0/0.0)" : "(-1.0/0.0)");
}

void text_real(struct text *t, double value)
{
    if (!isfinite(value)) {
        append_no_number(t, value);
        return;
    }
    /* 17 digits always do; fewer are tried for the sake of readers. */
    char number[NUMBER_BYTES];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) break;
    }
    append_literal(t, number);
}

void text_single(struct text *t, float value)
{
    if (!isfinite(value)) {
        append_no_number(t, (double)value);
        return;
    }
    char number[NUMBER_BYTES];
    snprintf(number, sizeof number, "%.9g", (double)value);
    append_literal(t, number);
    text_string(t, "f");
}

/* The value in the largest unit in which three digits do not print as 0.something. */
static void append_scaled(struct text *t, double value, const char *const *units, int count)
{
    int unit = 0;
    while (unit < count - 1 && fabs(value) >= 999.5) {
        value /= 1000;
        unit++;
    }
    /* Beyond the last unit %g would turn to exponents too early. */
    if (fabs(value) >= 999.5 && fabs(value) < 1e15) value = round(value);
    text_number(t, value, fabs(value) < 999.5 ? 3 : 15);
    text_append(t, " %s", units[unit]);
}

void text_bytes(struct text *t, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    append_scaled(t, bytes, units, sizeof units / sizeof *units);
}

void text_seconds(struct text *t, double seconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    append_scaled(t, seconds * 1e9, units, sizeof units / sizeof *units);
}

bool text_failed(const struct text *t)
{
    return t->failed;
}

const char *text_chars(const struct text *t)
{
    return t->data ? t->data : "";
}

void text_free(struct text *t)
{
    memory_free(t->data);
    *t = (struct text)TEXT_EMPTY;
}
