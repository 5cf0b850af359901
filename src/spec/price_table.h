/* What price_lines.c counts with, and nothing else. */
#ifndef WEFT_SPEC_PRICE_TABLE_H
#define WEFT_SPEC_PRICE_TABLE_H

/* In seconds. Rows are a number of all lines of a tile; of lines by themselves what is theirs
 * is of doubles, and three quarters of it of singles. */
static const struct {
    /* Columns: */
    double step;         /* a row's steps, of a vector and each doubling of the line's length, */
    double product;      /* ... and of a prime's sums for each of its numbers; */
    double convolved;    /* how many times the steps' those of a prime take that is convolved, */
    double chirped;      /* ... and that more if it is one of another length; */
    double narrow;       /* how much longer vectors of 16 bytes take, without fma */
    double element;      /* 8 bytes of numbers beside each other, read and written, */
    double single;       /* ... and an element of an end where a line's are beside each other */
    double planes[2];        /* a line of planes, of singles and of doubles, that has steps, */
    double planes_number[2]; /* ... a number and doubling of its length, */
    double planes_narrow[2]; /* ... that more by vectors that are half a line of the cache, */
    double planes_loose;     /* ... and that where lanes of its two steps do not fill them; */
    double planes_short[2];  /* ... one that is a butterfly, and each leg of each number; */
    double planes_lone[2];   /* of reals, of an even and of an odd line, more, */
    double planes_real[2];   /* ... and for each of them; */
    double planes_sum;       /* ... a product of a prime's sums; */
    double call[2];      /* a tile of reals to halves, or back: what mirrors numbers, */
    double row[2];       /* ... each of its rows, */
    double row_vector;   /* ... and vector of these; */
    double two_row;      /* ... where the numbers of odd lines' halves follow one another, */
    double two_vector;   /* ... likewise; */
    double swept;        /* 8 bytes of two lines that sweeps make one of pairs, and part; */
    double far;          /* how much longer ends take if a tile leaves the first level */
    double lone_call;    /* a line that no other makes one of pairs with, */
    double lone_element; /* ... and each of its reals */
    /* Lines by themselves: */
    double gathered_call;  /* one that is brought to a tile number by number, */
    double codelet;        /* of a codelet of its own, */
    double codelet_number; /* ... a number and doubling of the length; */
    double short_real;     /* of a few reals that are products, each and vector of results; */
    double steps;          /* of steps, */
    double steps_number;   /* ... likewise; */
    double two_steps;      /* of two steps of pairs; */
    double sum;            /* of a prime's sums, each product, */
    double late_sum;       /* ... and where a step that is not the first has such */
    double transposed;     /* 8 bytes of lines abreast, to a tile and back; */
    double vector_product; /* of products with a matrix, each vector of them, */
    double folded;         /* ... and if those are of pairs, to fold them, */
    double folded_product; /* ... each, */
    double far_product;    /* ... and more where the first level has no room for a line beside */
    double laid_call;      /* copies, */
    double moved;          /* ... of 8 bytes, */
    double joined_call;    /* ... of planes as they follow one another, */
    double joined;         /* ... of 8 bytes */
    /* Lanes that are multiplied with a matrix, of each eight lines: */
    double lanes_call;
    double lanes_real;    /* a real, */
    double lanes_product; /* ... and its product with another; */
    double lanes_narrow[2][2]; /* how many times that vectors of half a line of the cache take,
                                * beside other ways: of even and of odd lines, R2C and C2R */
} price = {
    .step = 0.39e-9,
    .product = 0.4e-9,
    .convolved = 8,
    .chirped = 2.2,
    .narrow = 2.5,
    .element = 0.83e-9,
    .single = 1.9e-9,
    .planes = {35e-9, 25e-9},
    .planes_number = {0.047e-9, 0.1e-9},
    .planes_narrow = {1.5, 1.4},
    .planes_loose = 2,
    .planes_short = {2e-9, 0.25e-9},
    .planes_lone = {100e-9, 40e-9},
    .planes_real = {0.25e-9, 1.05e-9},
    .planes_sum = 0.16e-9,
    .call = {78e-9, 152e-9},
    .row = {2.9e-9, 15e-9},
    .row_vector = 2.6e-9,
    .two_row = 0.5e-9,
    .two_vector = 1e-9,
    .swept = 2.5e-9,
    .far = 1.5,
    .lone_call = 173e-9,
    .lone_element = 1.8e-9,
    .gathered_call = 39e-9,
    .codelet = 2.5e-9,
    .codelet_number = 0.09e-9,
    .short_real = 0.3e-9,
    .steps = 108e-9,
    .steps_number = 0.19e-9,
    .two_steps = 38e-9,
    .sum = 0.08e-9,
    .late_sum = 0.4e-9,
    .transposed = 0.69e-9,
    .vector_product = 0.35e-9,
    .folded = 14e-9,
    .folded_product = 0.42e-9,
    .far_product = 0.5e-9,
    .laid_call = 27e-9,
    .moved = 0.29e-9,
    .joined_call = 19e-9,
    .joined = 0.15e-9,
    .lanes_call = 8e-9,
    .lanes_real = 1.3e-9,
    .lanes_product = 0.16e-9,
    .lanes_narrow = {{1.4, 1.8}, {1, 1.25}},
};

#endif
