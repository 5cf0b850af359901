"""What bench/cpu.py, its pages and bench/table.py count with."""

import math


def largest_prime(n):
    largest, p = 1, 2
    while p * p <= n:
        while n % p == 0:
            largest, n = p, n // p
        p += 1
    return max(largest, n)


def mean(numbers):
    """The geometric mean; None of nothing."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None
