/* STORE(streamed, place, v): a vector of LANES to memory, past the caches if `streamed` and there
 * is such a store (mirror_template.h). Included anew for each width. */
#undef STREAM
#undef STORE
#if LANES == MOST_LANES && defined(STREAMED)
#define STREAM NAME_OF(STREAM, , PRECISION)
#define STORE(streamed, place, v)          \
    do {                                   \
        if (streamed) STREAM(place, v);    \
        else PUT(place, v);                \
    } while (0)
#else
#define STORE(streamed, place, v) /* only the widest are streamed */ \
    do {                                                             \
        (void)(streamed);                                            \
        PUT(place, v);                                               \
    } while (0)
#endif
