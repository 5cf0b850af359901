#include "spectrum.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Peaks lower than this many roundings of the strongest amplitude are noise of the arithmetic. */
enum { ROUNDINGS = 16 };

/* The stride in the power array of each axis of the data; 0 along axes that are averaged over. */
static void find_strides(const spectrum *s, const array *transformed, uint32_t axes,
                         int64_t *stride)
{
    int64_t next = 1;
    for (int i = transformed->rank - 1, j = s->rank - 1; i >= 0; i--) {
        stride[i] = 0;
        if (!(axes & 1u << i)) continue;
        stride[i] = next;
        next *= s->size[j--];
    }
}

static void sum_power(spectrum *s, const array *transformed, const int64_t *stride)
{
    int64_t place[WEFT_MAX_RANK] = {0}, index = 0;
    double share = 1; /* one over the number of what each power is the mean of */
    for (int axis = 0; axis < transformed->rank; axis++) {
        if (stride[axis] == 0) share /= (double)transformed->size[axis];
    }
    for (int64_t i = 0; i < transformed->count; i++) {
        s->power[index] += share * array_power(transformed, i);
        for (int axis = transformed->rank - 1; axis >= 0; axis--) {
            index += stride[axis];
            if (++place[axis] < transformed->size[axis]) break;
            index -= stride[axis] * transformed->size[axis];
            place[axis] = 0;
        }
    }
}

/* The element at the opposite frequency. */
static int64_t mirrored(const spectrum *s, int64_t index)
{
    int64_t mirror = 0, stride = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        mirror += (s->size[i] - index % s->size[i]) % s->size[i] * stride;
        index /= s->size[i];
        stride *= s->size[i];
    }
    return mirror;
}

/* The half that is not stored is as strong as the one that is. */
static void mirror_power(spectrum *s)
{
    int64_t last = s->size[s->rank - 1];
    for (int64_t i = 0; i < s->count; i++) {
        if (i % last > last / 2) s->power[i] = s->power[mirrored(s, i)];
    }
}

bool spectrum_create(spectrum *s, const array *transformed, uint32_t axes, int64_t whole,
                     bool is_real, failure *why)
{
    *s = (spectrum){.precision = transformed->precision, .is_real = is_real};
    for (int i = 0; i < transformed->rank; i++) {
        if (axes & 1u << i) s->size[s->rank++] = transformed->size[i];
    }
    if (whole) s->size[s->rank - 1] = whole;
    s->count = 1;
    for (int i = 0; i < s->rank; i++)
        s->count *= s->size[i];
    s->power = calloc((size_t)s->count, sizeof *s->power);
    if (!s->power) return failure_memory(why, (size_t)s->count * sizeof *s->power);
    int64_t stride[WEFT_MAX_RANK];
    find_strides(s, transformed, axes, stride);
    sum_power(s, transformed, stride);
    if (whole) mirror_power(s);
    return true;
}

void spectrum_destroy(spectrum *s)
{
    free(s->power);
    *s = (spectrum){0};
}

static void find_bins(const spectrum *s, peak *p)
{
    int64_t rest = p->index;
    for (int i = s->rank - 1; i >= 0; i--) {
        int64_t bin = rest % s->size[i];
        rest /= s->size[i];
        p->bin[i] = bin <= s->size[i] / 2 ? bin : bin - s->size[i];
    }
}

/* Whether this bin, and not its mirror image, stands for the pair: the one with the positive
 * frequency along the fastest axis where the two differ. */
static bool is_chosen_of_pair(const spectrum *s, const peak *p)
{
    for (int i = s->rank - 1; i >= 0; i--) {
        bool own_mirror = p->bin[i] == 0 || 2 * p->bin[i] == s->size[i];
        if (!own_mirror) return p->bin[i] > 0;
    }
    return true;
}

/* No weaker than the next bins along each axis, cyclically; of equals the first counts. */
static bool is_local_maximum(const spectrum *s, const peak *p)
{
    int64_t stride = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        int64_t n = s->size[i];
        int64_t bin = p->bin[i] < 0 ? p->bin[i] + n : p->bin[i];
        int64_t start = p->index - bin * stride;
        double before = s->power[start + (bin + n - 1) % n * stride];
        double after = s->power[start + (bin + 1) % n * stride];
        if (before > p->power || after > p->power) return false;
        if (n > 2 && before == p->power && bin > 0) return false;
        stride *= n;
    }
    return true;
}

/* Puts a peak into its place of the list, which drops its last when full. */
static int insert(peak *peaks, int count, int most, const peak *p)
{
    int place = count;
    while (place > 0 && peaks[place - 1].power < p->power)
        place--;
    if (place == most) return count;
    int moved = (count < most ? count : most - 1) - place;
    memmove(&peaks[place + 1], &peaks[place], (size_t)moved * sizeof *peaks);
    peaks[place] = *p;
    return count < most ? count + 1 : most;
}

int spectrum_peaks(const spectrum *s, peak *peaks, int most)
{
    int count = 0;
    for (int64_t i = 1; i < s->count; i++) {
        peak p = {.index = i, .power = s->power[i]};
        if (!(p.power > 0) || (count == most && p.power <= peaks[most - 1].power)) continue;
        find_bins(s, &p);
        if (s->is_real && !is_chosen_of_pair(s, &p)) continue;
        if (is_local_maximum(s, &p)) count = insert(peaks, count, most, &p);
    }
    double rounding = ROUNDINGS * (s->precision == WEFT_F64 ? DBL_EPSILON : FLT_EPSILON);
    double strongest = count > 0 && peaks[0].power > s->power[0] ? peaks[0].power : s->power[0];
    while (count > 0 && peaks[count - 1].power < strongest * rounding * rounding)
        count--;
    return count;
}
