#include "support/ordered.h"

#include <stdlib.h>
#include <string.h>

static weft_axis_order order_of(const weft_plan *plan, int axis)
{
    weft_axis_order order;
    if (weft_plan_order(plan, axis, &order) != WEFT_OK) abort();
    return order;
}

bool ordered_differs(const struct trial *trial, const weft_plan *plan)
{
    for (int i = 0; i < trial->params.rank; i++)
        if (order_of(plan, i).n1 != 1) return true;
    return false;
}

void ordered_to_natural(const struct trial *trial, const weft_plan *plan, double *data)
{
    const int64_t elements = trial_elements(trial);
    if (!ordered_differs(trial, plan)) return;
    double *copy = malloc((size_t)elements * 2 * sizeof *copy);
    if (!copy) abort();
    memcpy(copy, data, (size_t)elements * 2 * sizeof *copy);
    for (int64_t i = 0; i < elements; i++) {
        int64_t place = 0, stride = 1, rest = i;
        for (int dim = trial->dims - 1; dim >= 0; dim--) {
            const int64_t n = trial->n[dim], k = rest % n;
            const weft_axis_order order =
                dim > 0 ? order_of(plan, dim - 1) : (weft_axis_order){1, n};
            place += stride * (k % order.n1 * order.n2 + k / order.n1);
            stride *= n;
            rest /= n;
        }
        memcpy(data + 2 * i, copy + 2 * place, 2 * sizeof *data);
    }
    free(copy);
}
