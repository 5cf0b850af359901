/* What the tests with real drivers share. Whoever includes this tells the sanitizer of addresses to
 * bear with drivers. */
#ifndef TESTS_SUPPORT_DRIVERS_H
#define TESTS_SUPPORT_DRIVERS_H

/* Makes the folder build_folder/name and has the variable of the environment name it. */
void drivers_keep_in(const char *variable, const char *build_folder, const char *name);

#endif
