#include "plan/lengths.h"

/* The sine of a third of a turn is off by half a unit in double precision, and by as much on the
 * way there and on the way back: 3^6 make 7.2e-16 of what 3^4 make 5.8e-16, without fma. */
#define MOST_THREES 4

struct length {
    int64_t m;
    double weight;
};

/* Keeps the lightest lengths, the lightest first. */
static void keep_length(struct length *kept, int *count, struct length length)
{
    int place = *count < LENGTHS_MOST ? (*count)++ : LENGTHS_MOST;
    while (place > 0 && kept[place - 1].weight > length.weight) {
        if (place < LENGTHS_MOST) kept[place] = kept[place - 1];
        place--;
    }
    if (place < LENGTHS_MOST) kept[place] = length;
}

int lengths_smooth(double least, double excess, int64_t *length)
{
    static const int prime[] = {2, 3, 5, 7};
    static const double weight[] = {1, 1.8, 2.9, 4};
    const double most = least * excess;
    struct length kept[LENGTHS_MOST];
    int count = 0;
    int power[4];
    double m7 = 1;
    for (power[3] = 0; m7 <= most; power[3]++, m7 *= prime[3]) {
        double m5 = m7;
        for (power[2] = 0; m5 <= most; power[2]++, m5 *= prime[2]) {
            double m3 = m5;
            for (power[1] = 0; power[1] <= MOST_THREES && m3 <= most; power[1]++, m3 *= prime[1]) {
                double m = m3,
                       sum = weight[1] * power[1] + weight[2] * power[2] + weight[3] * power[3];
                for (; m < least; m *= 2)
                    sum += weight[0];
                if (m > most || m > 9e15) continue;
                keep_length(kept, &count, (struct length){(int64_t)m, m * sum});
            }
        }
    }
    for (int i = 0; i < count; i++)
        length[i] = kept[i].m;
    return count;
}
