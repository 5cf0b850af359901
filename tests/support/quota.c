#include "support/quota.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Where a third can be done, chance does not come to fewer of so many draws: 1e-17 and less. */
enum { DRAWS_EACH = 10, MORE_DRAWS = 100 };

bool quota_open(struct quota *quota)
{
    if (quota->done >= quota->wanted) return false;
    if (quota->drawn >= DRAWS_EACH * quota->wanted + MORE_DRAWS)
        fail_msg("%d of %d problems could be done, %d were to be", quota->done, quota->drawn,
                 quota->wanted);
    quota->drawn++;
    return true;
}
