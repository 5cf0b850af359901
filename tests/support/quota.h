/* So many random problems done, however many chance makes ones that have to be refused. */
#ifndef TESTS_SUPPORT_QUOTA_H
#define TESTS_SUPPORT_QUOTA_H

#include <stdbool.h>

struct quota {
    int wanted, drawn, done;
};

/* Whether another problem is to be drawn, which it counts; its user counts those that are done.
 * Fails the test where hardly one in ten is. */
bool quota_open(struct quota *quota);

#endif
