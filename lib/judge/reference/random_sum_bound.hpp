// How far rounding carries a sum of random numbers.
#pragma once

namespace kwb {

/// The largest error that a sum of n floats, uniform in [-1, 1), may have, whatever the order of summation.
///
/// The worst case, gamma_n times the sum of the magnitudes, is larger than the sum itself from some million
/// terms on, and would let every result pass. But rounding errors of random data mostly cancel: where partial
/// sums are those of numbers with mean zero and variance 1/3, a sum of k terms is of size sqrt(k / 3), each
/// addition errs by at most u = 2^-24 of it, and n independent errors add up to u n / sqrt(6), in the order
/// that errs most (one term after the other). Eight times as much does not happen: the chance is below 1e-13.
/// Source: N. Higham, T. Mary, "Sharper probabilistic backward error analysis for basic linear algebra
/// kernels with random data", 2020.
/// @param n           terms, at least 1
/// @param magnitudes  sum of their magnitudes
/// @return  above 0; the worst case where that is less
double random_sum_bound(double n, double magnitudes);

}  // namespace kwb
