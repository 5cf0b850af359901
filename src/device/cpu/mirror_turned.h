/* LANES numbers and their mirrors at a time, turned, of which one part counts up along reals and
 * the other one down: a part of mirror_lines.h, included with LANES as mirror_pairs.h is. Real and
 * imaginary parts are apart meanwhile: three products of each number take no shuffle then. */
/* As the function pairs_; line->to is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(unfold_turned_, LANES, PRECISION)(const struct LINE *line, REAL up, REAL down, int64_t k)
{
    const int64_t h = line->h;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - last);
        const REAL *root = line->roots + 6 * (k - 1);
        const VECTOR a = AT(own), b = AT(own + LANES), c = AT(other), d = AT(other + LANES);
        const VECTOR xr = SHUFFLED(a, b, REALS), xi = SHUFFLED(a, b, OTHERS);
        const VECTOR yr = SHUFFLED(c, d, REALS_BACK), yi = SHUFFLED(c, d, OTHERS_BACK);
        const VECTOR tr = AT(root), ti = AT(root + LANES);
        const VECTOR ur = AT(root + 2 * LANES), ui = AT(root + 3 * LANES);
        const VECTOR vr = AT(root + 4 * LANES), vi = AT(root + 5 * LANES);
        const VECTOR even_re = xr + yr, even_im = xi - yi, rest_re = xr - yr, rest_im = xi + yi;
        const VECTOR odd_re = rest_re * tr - rest_im * ti, odd_im = rest_re * ti + rest_im * tr;
        const VECTOR sr = even_re + odd_re, si = even_im + odd_im;
        const VECTOR dr = even_re - odd_re, di = even_im - odd_im;
        const VECTOR mirrored_re = (dr * vr - di * vi) * up;
        const VECTOR own_im = (sr * ui + si * ur) * down;
        PUT(line->to + k, (sr * ur - si * ui) * up);
        PUT(line->to + 2 * h - last, SHUFFLED(own_im, own_im, BACK));
        PUT(line->to + h - last, SHUFFLED(mirrored_re, mirrored_re, BACK));
        PUT(line->to + h + k, (dr * vi + di * vr) * -down);
    }
    return k;
}

/* The other way; line->from is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(fold_turned_, LANES, PRECISION)(const struct LINE *line, REAL up, REAL down, int64_t k)
{
    const int64_t h = line->h;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *root = line->roots + 6 * (k - 1);
        const VECTOR own_im = AT(line->from + 2 * h - last), own_re = AT(line->from + h - last);
        const VECTOR a = AT(line->from + k) * up, b = SHUFFLED(own_im, own_im, BACK) * down;
        const VECTOR c = SHUFFLED(own_re, own_re, BACK) * up, d = AT(line->from + h + k) * -down;
        const VECTOR tr = AT(root), ti = AT(root + LANES);
        const VECTOR ur = AT(root + 2 * LANES), ui = AT(root + 3 * LANES);
        const VECTOR vr = AT(root + 4 * LANES), vi = AT(root + 5 * LANES);
        const VECTOR xr = a * ur - b * ui, xi = a * ui + b * ur;
        const VECTOR yr = c * vr - d * vi, yi = c * vi + d * vr; /* the conjugate's */
        const VECTOR even_re = xr + yr, even_im = xi + yi, rest_re = xr - yr, rest_im = xi - yi;
        const VECTOR odd_re = rest_re * tr - rest_im * ti, odd_im = rest_re * ti + rest_im * tr;
        const VECTOR sr = even_re + odd_re, si = even_im + odd_im;
        const VECTOR dr = even_re - odd_re, di = odd_im - even_im;
        const VECTOR er = SHUFFLED(dr, dr, BACK), ei = SHUFFLED(di, di, BACK);
        PUT(line->to + 2 * k, SHUFFLED(sr, si, LOW));
        PUT(line->to + 2 * k + LANES, SHUFFLED(sr, si, HIGH));
        PUT(line->to + 2 * (h - last), SHUFFLED(er, ei, LOW));
        PUT(line->to + 2 * (h - last) + LANES, SHUFFLED(er, ei, HIGH));
    }
    return k;
}
