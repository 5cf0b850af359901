/* How vectors of weights lie, of LANES numbers of REAL: a part of resample_lines.h. Each weight is
 * one of both parts of a pair, so that a vector of them becomes two, of the lower and of the upper
 * half of the lanes. Quarters (of 16 bytes) hold what makes a quarter of either: shuffles across
 * quarters take longer than those within. */
#undef LANE_ORDER
#undef EACH_QUARTER
#undef PAIRS_BACK
#undef LOWER
#undef UPPER
#undef EVENS
#undef ODDS
#undef EVENS_BACK
#undef ODDS_BACK

/* Of planes to pairs: every second number, from the first or the second one on, or from the last
 * ones back. */
#if LANES == 16
#define EVENS      0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define ODDS       1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define EVENS_BACK 14, 30, 12, 28, 10, 26, 8, 24, 6, 22, 4, 20, 2, 18, 0, 16
#define ODDS_BACK  15, 31, 13, 29, 11, 27, 9, 25, 7, 23, 5, 21, 3, 19, 1, 17
#elif LANES == 8
#define EVENS      0, 8, 2, 10, 4, 12, 6, 14
#define ODDS       1, 9, 3, 11, 5, 13, 7, 15
#define EVENS_BACK 6, 14, 4, 12, 2, 10, 0, 8
#define ODDS_BACK  7, 15, 5, 13, 3, 11, 1, 9
#elif LANES == 4
#define EVENS      0, 4, 2, 6
#define ODDS       1, 5, 3, 7
#define EVENS_BACK 2, 6, 0, 4
#define ODDS_BACK  3, 7, 1, 5
#else
#define EVENS      0, 2
#define ODDS       1, 3
#define EVENS_BACK 0, 2
#define ODDS_BACK  1, 3
#endif

#if MOST_LANES * 4 == VECTOR_BYTES /* floats */
#if LANES == 16
#define LANE_ORDER 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15
#define EACH_QUARTER(a, b, c, d)                                                                   \
    a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12,    \
        d + 12
#define PAIRS_BACK 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1
#elif LANES == 8
#define LANE_ORDER               0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15
#define EACH_QUARTER(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4
#define PAIRS_BACK               6, 7, 4, 5, 2, 3, 0, 1
#else
#define LANE_ORDER               0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EACH_QUARTER(a, b, c, d) a, b, c, d
#define PAIRS_BACK               2, 3, 0, 1
#endif
#define LOWER EACH_QUARTER(0, 0, 1, 1)
#define UPPER EACH_QUARTER(2, 2, 3, 3)
#else
#if LANES == 8
#define LANE_ORDER         0, 4, 1, 5, 2, 6, 3, 7
#define EACH_QUARTER(a, b) a, b, a + 2, b + 2, a + 4, b + 4, a + 6, b + 6
#define PAIRS_BACK         6, 7, 4, 5, 2, 3, 0, 1
#elif LANES == 4
#define LANE_ORDER         0, 2, 1, 3, 4, 6, 5, 7
#define EACH_QUARTER(a, b) a, b, a + 2, b + 2
#define PAIRS_BACK         2, 3, 0, 1
#else
#define LANE_ORDER         0, 1, 2, 3, 4, 5, 6, 7
#define EACH_QUARTER(a, b) a, b
#define PAIRS_BACK         0, 1
#endif
#define LOWER EACH_QUARTER(0, 0)
#define UPPER EACH_QUARTER(1, 1)
#endif
