#include "half.h"

/* The last axis that is transformed: the one of which there is half. */
static int half_axis(int rank, uint32_t axes)
{
    int axis = rank - 1;
    while (axes && axis > 0 && !(axes >> axis & 1)) axis--;
    return axis;
}

static int64_t half_length(int64_t n)
{
    return n / 2 + 1;
}

int64_t half_elements(int rank, const int64_t *size, uint32_t axes)
{
    int64_t elements = 1;
    for (int i = 0; i < rank; i++)
        elements *= i == half_axis(rank, axes) ? half_length(size[i]) : size[i];
    return elements;
}

bool half_has(int rank, const int64_t *size, uint32_t axes, int64_t index)
{
    const int axis = half_axis(rank, axes);
    for (int i = rank - 1; i > axis; i--)
        index /= size[i];
    return index % size[axis] < half_length(size[axis]);
}

/* Where the half has that element of the whole; *conjugate: as its conjugate, at the negative of
 * every index along a transformed axis. */
static int64_t place_in_half(int rank, const int64_t *size, uint32_t axes, int64_t index,
                             bool *conjugate)
{
    const int axis = half_axis(rank, axes);
    int64_t place = 0, stride = 1;
    *conjugate = !half_has(rank, size, axes, index);
    for (int i = rank - 1; i >= 0; i--) {
        int64_t k = index % size[i];
        index /= size[i];
        if (*conjugate && (!axes || axes >> i & 1)) k = (size[i] - k) % size[i];
        place += k * stride;
        stride *= i == axis ? half_length(size[i]) : size[i];
    }
    return place;
}

void half_extend(int rank, const int64_t *size, uint32_t axes, const double *half, double *whole)
{
    int64_t elements = 1;
    for (int i = 0; i < rank; i++)
        elements *= size[i];
    for (int64_t i = 0; i < elements; i++) {
        bool conjugate;
        const int64_t from = place_in_half(rank, size, axes, i, &conjugate);
        whole[2 * i] = half[2 * from];
        whole[2 * i + 1] = conjugate ? -half[2 * from + 1] : half[2 * from + 1];
    }
}
