/* LANES numbers and their mirrors at a time, turned, of which one part counts up along reals and
 * the other one down: a part of mirror_lines.h, included with LANES as mirror_pairs.h is. Real and
 * imaginary parts are apart meanwhile: products take no shuffle then. With the mirror's turn a
 * constant times the number's, u (e + t d) and c u (e - t d) are two products and their sums. */
/* As the function pairs_; line->to is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(unfold_turned_, LANES, PRECISION)(const struct LINE *line, const REAL *factor, int64_t k)
{
    const int64_t h = line->h;
    const REAL up = factor[0], down = factor[1];
    const REAL up_re = factor[4] * up, up_im = factor[5] * up;
    const REAL down_re = factor[4] * -down, down_im = factor[5] * -down;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - last);
        const REAL *root = line->roots + 4 * (k - 1);
        const VECTOR a = AT(own), b = AT(own + LANES), c = AT(other), d = AT(other + LANES);
        const VECTOR xr = SHUFFLED(a, b, REALS), xi = SHUFFLED(a, b, OTHERS);
        const VECTOR yr = SHUFFLED(c, d, REALS_BACK), yi = SHUFFLED(c, d, OTHERS_BACK);
        const VECTOR ur = AT(root), ui = AT(root + LANES);
        const VECTOR wr = AT(root + 2 * LANES), wi = AT(root + 3 * LANES);
        const VECTOR even_re = xr + yr, even_im = xi - yi, rest_re = xr - yr, rest_im = xi + yi;
        const VECTOR er = even_re * ur - even_im * ui, ei = even_re * ui + even_im * ur;
        const VECTOR dr = rest_re * wr - rest_im * wi, di = rest_re * wi + rest_im * wr;
        const VECTOR own_im = (ei + di) * down, mr = er - dr, mi = ei - di;
        const VECTOR mirrored_re = mr * up_re - mi * up_im;
        PUT(line->to + k, (er + dr) * up);
        PUT(line->to + 2 * h - last, SHUFFLED(own_im, own_im, BACK));
        PUT(line->to + h - last, SHUFFLED(mirrored_re, mirrored_re, BACK));
        PUT(line->to + h + k, mr * down_im + mi * down_re);
    }
    return k;
}

/* The other way; line->from is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(fold_turned_, LANES, PRECISION)(const struct LINE *line, const REAL *factor, int64_t k)
{
    const int64_t h = line->h;
    const REAL up = factor[0], down = factor[1];
    const REAL up_re = factor[4] * up, up_im = factor[5] * up;
    const REAL down_re = factor[4] * -down, down_im = factor[5] * -down;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *root = line->roots + 4 * (k - 1);
        const VECTOR own_im = AT(line->from + 2 * h - last), own_re = AT(line->from + h - last);
        const VECTOR a = AT(line->from + k) * up, b = SHUFFLED(own_im, own_im, BACK) * down;
        const VECTOR c = SHUFFLED(own_re, own_re, BACK), d = AT(line->from + h + k);
        const VECTOR mr = c * up_re - d * down_im, mi = c * up_im + d * down_re;
        const VECTOR ur = AT(root), ui = AT(root + LANES);
        const VECTOR wr = AT(root + 2 * LANES), wi = AT(root + 3 * LANES);
        const VECTOR even_re = a + mr, even_im = b + mi, rest_re = a - mr, rest_im = b - mi;
        const VECTOR er = even_re * ur - even_im * ui, ei = even_re * ui + even_im * ur;
        const VECTOR dr = rest_re * wr - rest_im * wi, di = rest_re * wi + rest_im * wr;
        const VECTOR sr = er + dr, si = ei + di, fr = er - dr, fi = di - ei;
        const VECTOR gr = SHUFFLED(fr, fr, BACK), gi = SHUFFLED(fi, fi, BACK);
        PUT(line->to + 2 * k, SHUFFLED(sr, si, LOW));
        PUT(line->to + 2 * k + LANES, SHUFFLED(sr, si, HIGH));
        PUT(line->to + 2 * (h - last), SHUFFLED(gr, gi, LOW));
        PUT(line->to + 2 * (h - last) + LANES, SHUFFLED(gr, gi, HIGH));
    }
    return k;
}
