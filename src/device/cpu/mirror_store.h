/* STORE(streamed, place, v): a vector of LANES to memory, past the caches if `streamed` and there
 * is such a store (mirror_template.h). Included anew for each width. */
#undef STREAM
#undef STORE
#undef STORE_BACK
#undef STORE_PAIRS
#if LANES == MOST_LANES && defined(STREAMED)
#define STREAM NAME_OF(STREAM, , PRECISION)
#define STORE(streamed, place, v)          \
    do {                                   \
        if (streamed) STREAM(place, v);    \
        else PUT(place, v);                \
    } while (0)
#define STORE_BACK(streamed, place, v)                                                             \
    do {                                                                                           \
        if (streamed) STREAM(place, SHUFFLED(v, v, BACK));                                         \
        else PUT_BACK(place, v);                                                                   \
    } while (0)
#define STORE_PAIRS(streamed, place, re, im)                                                       \
    do {                                                                                           \
        if (streamed) {                                                                            \
            STREAM(place, SHUFFLED(re, im, LOW));                                                  \
            STREAM((place) + LANES, SHUFFLED(re, im, HIGH));                                       \
        } else {                                                                                   \
            PUT_PAIRS(place, re, im);                                                              \
        }                                                                                          \
    } while (0)
#else
#define STORE(streamed, place, v) /* only the widest are streamed */ \
    do {                                                             \
        (void)(streamed);                                            \
        PUT(place, v);                                               \
    } while (0)
#define STORE_BACK(streamed, place, v)                                                             \
    do {                                                                                           \
        (void)(streamed);                                                                          \
        PUT_BACK(place, v);                                                                        \
    } while (0)
#define STORE_PAIRS(streamed, place, re, im)                                                       \
    do {                                                                                           \
        (void)(streamed);                                                                          \
        PUT_PAIRS(place, re, im);                                                                  \
    } while (0)
#endif
