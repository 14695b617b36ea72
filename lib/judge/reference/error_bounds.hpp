// Bounds of the rounding error of a result.
#pragma once

namespace kwb {

/// gamma_n = n u / (1 - n u) with u = 2^-24, the unit roundoff of float.
/// The error of a dot product of length n, summed in any order, is at most gamma_n |a|·|b|.
/// Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.
/// @param n  number of terms, 1 … 2^23
double gamma_bound(double n);

/// Largest error allowed for a sum of n floats, uniform in [-1, 1), in any order of summation.
/// The worst case, gamma_n times the sum of the magnitudes, exceeds the sum itself from a few million terms
/// on and would accept every result. But rounding errors of random data mostly cancel. With mean zero and
/// variance 1/3, a sum of k terms has a magnitude of about sqrt(k / 3); each addition has an error of at most
/// u = 2^-24 of that, and n independent errors add up to u n / sqrt(6) in the worst order (one term after the
/// other). The probability of an error eight times as large is below 1e-13. Source: N. Higham, T. Mary,
/// "Sharper probabilistic backward error analysis for basic linear algebra kernels with random data", 2020.
/// @param n           number of terms, at least 1
/// @param magnitudes  sum of their magnitudes
/// @return  above 0; the worst case if that is smaller
double random_sum_bound(double n, double magnitudes);

}  // namespace kwb
