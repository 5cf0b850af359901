#include "support/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan/planner.h"

struct problem tree_line(int64_t n)
{
    return (struct problem){
        .kind = WEFT_C2C, .axes = 1, .axis = {{n, 1, 1}}, .scale = {1, 1}, .threads = 1};
}

const struct plan_node *tree_parse(arena *a, const char *text)
{
    const struct plan_node *tree = NULL;
    const weft_status status = plan_parse(a, &text, &tree);
    if (status) return NULL;
    assert_string_equal(text, "");
    return tree;
}
