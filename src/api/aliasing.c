#include "api/aliasing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* One dimension with its stride's sign dropped: which places are shared does not depend on it. */
struct extent {
    int64_t n, stride;
};

static int by_stride(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return (x->stride > y->stride) - (x->stride < y->stride);
}

static weft_status refuse(void)
{
    return error_set(WEFT_ERROR_LAYOUT, "two elements of the output share a place: every output "
                                        "stride must step over what the smaller ones cover");
}

/* True if every dimension steps over all that the smaller ones cover. The reach was checked before
 * and cannot overflow. */
static bool nests(const struct extent *extent, int rank)
{
    int64_t reach = 0;
    for (int i = 0; i < rank; i++) {
        if (extent[i].stride <= reach) return false;
        reach += (extent[i].n - 1) * extent[i].stride;
    }
    return true;
}

/* Marks every place; a place marked twice is shared. */
static weft_status mark_places(const struct extent *extent, int rank, int64_t places,
                               int64_t elements)
{
    unsigned char *marked = memory_alloc_zeroed((size_t)(places / 8 + 1));
    if (!marked) return error_memory("the check of output strides");
    weft_status status = WEFT_OK;
    for (int64_t e = 0; e < elements && !status; e++) {
        int64_t place = 0, rest = e;
        for (int i = 0; i < rank; i++) {
            place += rest % extent[i].n * extent[i].stride;
            rest /= extent[i].n;
        }
        const unsigned char bit = (unsigned char)(1u << (place & 7));
        if (marked[place >> 3] & bit) status = refuse();
        marked[place >> 3] |= bit;
    }
    memory_free(marked);
    return status;
}

weft_status aliasing_check(int rank, const struct dim *dim)
{
    struct extent extent[ALIASING_MOST_DIMS];
    int count = 0;
    int64_t reach = 0, elements = 1;
    for (int i = 0; i < rank; i++) {
        if (dim[i].n < 2) continue;
        extent[count].n = dim[i].n;
        extent[count].stride = dim[i].out_stride < 0 ? -dim[i].out_stride : dim[i].out_stride;
        reach += (dim[i].n - 1) * extent[count].stride;
        elements *= dim[i].n;
        if (extent[count++].stride == 0) return refuse();
    }
    qsort(extent, (size_t)count, sizeof extent[0], by_stride);
    if (nests(extent, count)) return WEFT_OK;
    if (elements > reach + 1) return refuse();
    if (reach < ALIASING_MOST_PLACES) return mark_places(extent, count, reach + 1, elements);
    return error_set(WEFT_ERROR_LAYOUT,
                     "the output's strides do not nest: for arrays spanning more than %lld "
                     "elements every stride must step over what the smaller ones cover",
                     (long long)ALIASING_MOST_PLACES);
}
