#include "reader.h"
#include "target.h"

const char *__lsan_default_suppressions(void);

/* libsndfile 1.2.0 forgets what libvorbis allocated when the headers of an Ogg file are damaged. */
const char *__lsan_default_suppressions(void)
{
    return "leak:vorbis_\nleak:ogg_\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(input_read_sound, data, size);
}
