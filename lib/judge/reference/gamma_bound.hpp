// How far rounding alone can carry a chain of float operations.
#pragma once

namespace kwb {

/// gamma_n = n u / (1 - n u) with u = 2^-24, the unit roundoff of float.
/// The error of a dot product of length n, summed in any order, is at most gamma_n |a|·|b|.
/// Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.
/// @param n  terms, 1 … 2^23
double gamma_bound(double n);

}  // namespace kwb
