// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/wrong_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace kwb {
namespace {

/// True if `holds` for every element; stops at the first for which it does not.
template <class Holds>
bool all_elements(const WrongOutput& output, const Checkpoint& checkpoint, Holds&& holds) {
    constexpr std::size_t kStep = std::size_t{1} << 16;  // the functions are slower than plain loops
    for (std::size_t i = 0; i < output.elements; ++i) {
        if (i % kStep == 0) checkpoint();
        if (!holds(i)) return false;
    }
    return true;
}

/// The same, and enough of the elements for which `counts` are wrong.
template <class Counts, class Holds>
bool all_and_enough(const WrongOutput& output, const Checkpoint& checkpoint, Counts&& counts, Holds&& holds) {
    std::uint64_t wrong = 0;
    return all_elements(output, checkpoint,
                        [&](std::size_t i) {
                            if (!counts(i)) return true;
                            if (!holds(i)) return false;
                            wrong += output.is_wrong(i) ? 1 : 0;
                            return true;
                        }) &&
           wrong >= kLeastWrongForPattern;
}

bool every(std::size_t /*element*/) {
    return true;
}

/// True if element `i` holds what is expected of element `j`.
bool has_value_of(const WrongOutput& output, std::size_t i, std::size_t j) {
    return std::fabs(output.got(i) - output.expected(j)) <= output.bound(j);
}

bool is_transposed(const WrongOutput& output, const Checkpoint& checkpoint) {
    if (output.columns < 2 || output.elements == output.columns) return false;
    const std::size_t rows = output.elements / output.columns;
    return all_and_enough(output, checkpoint, every, [&](std::size_t i) {
        return has_value_of(output, i, i % rows * output.columns + i / rows);
    });
}

std::optional<FoundPattern> find_shift(const WrongOutput& output, const Checkpoint& checkpoint) {
    const bool is_matrix = output.columns > 0 && output.columns < output.elements;
    const std::size_t row_length = is_matrix ? output.columns : output.elements;
    const auto shifted_by = [&](std::size_t distance, bool on) {
        // Where the neighbour would be in another row, or outside, any value will do.
        const auto has_neighbour = [&](std::size_t i) {
            const bool inside = on ? i + distance < output.elements : i >= distance;
            return inside && (distance > 1 || i / row_length == (on ? i + 1 : i - 1) / row_length);
        };
        return all_and_enough(output, checkpoint, has_neighbour, [&](std::size_t i) {
            return has_value_of(output, i, on ? i + distance : i - distance);
        });
    };
    for (const bool on : {false, true}) {
        const double by = on ? 1 : -1;
        if (shifted_by(1, on)) return FoundPattern{WrongPattern::Shifted, {{"by", by}, {"rows", 0}}};
        if (is_matrix && output.columns > 1 && shifted_by(output.columns, on))
            return FoundPattern{WrongPattern::Shifted, {{"by", by}, {"rows", 1}}};
    }
    return std::nullopt;
}

std::optional<FoundPattern> find_factor(const WrongOutput& output, const Checkpoint& checkpoint) {
    // The wrong element with the largest expected value gives the factor, and another, with at most half of
    // it, must confirm it: equal values have many explanations.
    double largest = 0, factor = 1;
    all_elements(output, checkpoint, [&](std::size_t i) {
        const double expected = std::fabs(output.expected(i));
        if (!std::isfinite(expected) || expected <= largest || !output.is_wrong(i)) return true;
        largest = expected;
        factor = output.got(i) / output.expected(i);
        return true;
    });
    constexpr double kRounding = 1e-6;  // of a float
    constexpr double kLeastChange = 1e-5;
    if (!std::isfinite(factor) || factor == 0 || std::fabs(factor - 1) < kLeastChange) return std::nullopt;
    bool confirmed = false;
    const bool fits = all_and_enough(output, checkpoint, every, [&](std::size_t i) {
        const double wanted = factor * output.expected(i);
        const double most =
            std::max(1.0, std::fabs(factor)) * output.bound(i) + kRounding * std::fabs(wanted);
        if (!(std::fabs(output.got(i) - wanted) <= most)) return false;
        confirmed = confirmed || (std::fabs(output.expected(i)) <= largest / 2 && output.is_wrong(i));
        return true;
    });
    if (!fits || !confirmed) return std::nullopt;
    return FoundPattern{WrongPattern::Scaled, {{"factor", factor}}};
}

/// Numbers of lines: rows, columns or elements.
struct Edges {
    std::size_t first = 0, last = 0;
};

/// Whether nearly all elements of these lines are wrong; the others may be right by chance.
bool are_full(std::uint64_t wrong, std::uint64_t lines, std::uint64_t length) {
    return 4 * wrong >= 3 * lines * length;
}

/// The full lines at both ends.
/// @param wrong   wrong elements of each line
/// @param length  elements of a line
/// @return  none if they are more than half of all lines
Edges find_full_lines(const std::vector<std::uint64_t>& wrong, std::uint64_t length) {
    const auto is_full = [&](std::uint64_t count) { return are_full(count, 1, length); };
    const Edges edges{
        static_cast<std::size_t>(std::ranges::find_if_not(wrong, is_full) - wrong.begin()),
        static_cast<std::size_t>(std::find_if_not(wrong.rbegin(), wrong.rend(), is_full) - wrong.rbegin())};
    return 2 * (edges.first + edges.last) > wrong.size() ? Edges{} : edges;
}

/// The same for single elements: up to the last wrong one, or from the first one on.
Edges find_full_ends(const WrongOutput& output, const Checkpoint& checkpoint) {
    std::uint64_t total = 0;
    std::size_t first = output.elements, until = 0;
    all_elements(output, checkpoint, [&](std::size_t i) {
        if (!output.is_wrong(i)) return true;
        ++total;
        first = std::min(first, i);
        until = i + 1;
        return true;
    });
    const std::size_t from = output.elements - first;
    Edges edges;
    if (are_full(total, until, 1))
        edges.first = until;
    else if (are_full(total, from, 1))
        edges.last = from;
    return 2 * (edges.first + edges.last) > output.elements ? Edges{} : edges;
}

std::optional<FoundPattern> find_edges(const WrongOutput& output, const Checkpoint& checkpoint) {
    const bool is_matrix = output.columns > 0;
    const std::size_t columns = is_matrix ? output.columns : 1;
    const std::size_t rows = output.elements / columns;
    Edges vertical, horizontal;
    if (columns == 1) {
        vertical = find_full_ends(output, checkpoint);
    } else {
        std::vector<std::uint64_t> in_row(rows), in_column(columns);
        all_elements(output, checkpoint, [&](std::size_t i) {
            if (!output.is_wrong(i)) return true;
            ++in_row[i / columns];
            ++in_column[i % columns];
            return true;
        });
        vertical = find_full_lines(in_row, columns);
        horizontal = find_full_lines(in_column, rows);
    }
    const auto [above, below] = vertical;
    const auto [left, right] = horizontal;
    if (above + below + left + right == 0) return std::nullopt;
    const auto is_inside = [&, top = above, bottom = below, first = left, last = right](std::size_t i) {
        const std::size_t row = i / columns, column = i % columns;
        return row >= top && row < rows - bottom && column >= first && column < columns - last;
    };
    const auto is_explained = [&](std::size_t i) { return !is_inside(i) || !output.is_wrong(i); };
    if (!all_and_enough(output, checkpoint, every, is_explained)) return std::nullopt;
    FoundPattern found{WrongPattern::AtEdges, {}};
    const auto add = [&](const char* name, std::size_t lines) {
        if (lines > 0) found.numbers.push_back({name, static_cast<double>(lines)});
    };
    add(is_matrix ? "first_rows" : "first_elements", above);
    add(is_matrix ? "last_rows" : "last_elements", below);
    add("first_columns", left);
    add("last_columns", right);
    return found;
}

/// The terms of the sums that the elements of a product are.
class Terms {
public:
    Terms(const WrongOutput& output, const Factors& factors) : output_(output), factors_(factors) {}

    double at(std::size_t element, std::size_t term) const {
        const std::size_t row = element / output_.columns, column = element % output_.columns;
        return static_cast<double>(factors_.a[row * factors_.terms + term]) *
               static_cast<double>(factors_.b[term * output_.columns + column]);
    }
    double sum(std::size_t element, std::size_t first, std::size_t end) const {
        double sum = 0;
        for (std::size_t term = first; term < end; ++term) sum += at(element, term);
        return sum;
    }

private:
    const WrongOutput& output_;
    const Factors& factors_;
};

}  // namespace

std::optional<FoundPattern> find_wrong_pattern(const WrongOutput& output, const Checkpoint& checkpoint) {
    if (is_transposed(output, checkpoint)) return FoundPattern{WrongPattern::Transposed, {}};
    if (auto found = find_shift(output, checkpoint)) return found;
    if (auto found = find_factor(output, checkpoint)) return found;
    if (auto found = find_edges(output, checkpoint)) return found;
    const auto is_wrong = [&](std::size_t i) { return output.is_wrong(i); };
    if (all_and_enough(output, checkpoint, is_wrong, [&](std::size_t i) { return output.got(i) == 0; }))
        return FoundPattern{WrongPattern::Zeros, {}};
    return std::nullopt;
}

bool is_column_major(const WrongOutput& output, const Factors& factors, const Checkpoint& checkpoint) {
    if (output.columns == 0) return false;
    // As matrices that are stored row by row, they are C' = B' A'.
    const std::size_t rows = output.columns, columns = output.elements / rows, terms = factors.terms;
    const auto fits = [&](std::size_t i) {
        double sum = 0;
        for (std::size_t term = 0; term < terms; ++term)
            sum += static_cast<double>(factors.b[i / columns * terms + term]) *
                   static_cast<double>(factors.a[term * columns + i % columns]);
        return std::fabs(output.got(i) - sum) <= output.bound(i);
    };
    constexpr std::size_t kSamples = 64;
    constexpr double kMostProducts = 1e8;
    for (std::size_t i = 0; i < output.elements; i += output.elements / kSamples + 1)
        if (!fits(i)) return false;
    if (static_cast<double>(output.elements) * static_cast<double>(terms) <= kMostProducts)
        return all_and_enough(output, checkpoint, every, fits);
    // Sums of integers are exact, so that C' x = B' (A' x) for a vector of signs: any other matrix fulfils
    // this with a probability of at most 1/2. Source: R. Freivalds, "Fast probabilistic algorithms", 1979.
    constexpr int kVectors = 32;
    std::mt19937_64 random(terms);
    std::vector<double> x(columns), inner(terms);
    for (int vector = 0; vector < kVectors; ++vector) {
        checkpoint();
        for (double& sign : x) sign = (random() & 1) != 0 ? 1 : -1;
        for (std::size_t term = 0; term < terms; ++term) {
            inner[term] = 0;
            for (std::size_t c = 0; c < columns; ++c)
                inner[term] += static_cast<double>(factors.a[term * columns + c]) * x[c];
        }
        for (std::size_t row = 0; row < rows; ++row) {
            double difference = 0;
            for (std::size_t term = 0; term < terms; ++term)
                difference += static_cast<double>(factors.b[row * terms + term]) * inner[term];
            for (std::size_t c = 0; c < columns; ++c) difference -= output.got(row * columns + c) * x[c];
            if (difference != 0) return false;
        }
    }
    return true;
}

std::optional<FoundPattern> find_wrong_terms(const WrongOutput& output, const Factors& factors,
                                             const Checkpoint& checkpoint) {
    constexpr std::size_t kMostSamples = 64;
    constexpr double kMostTerms = 1e9;  // to be computed; a few seconds
    const std::size_t terms = factors.terms;
    if (terms < 2) return std::nullopt;
    std::vector<std::size_t> samples;
    all_elements(output, checkpoint, [&](std::size_t i) {
        if (output.is_wrong(i)) samples.push_back(i);
        return samples.size() < kMostSamples;
    });
    if (samples.size() < kLeastWrongForPattern) return std::nullopt;

    // A few elements show where the sums could begin and end; then all must agree.
    const Terms product(output, factors);
    const auto fits = [&](std::size_t i, double value) {
        return std::fabs(output.got(i) - value) <= output.bound(i);
    };
    std::vector<bool> may_begin(terms, true), may_end(terms, true);
    for (const std::size_t i : samples) {
        checkpoint();
        double before = 0;  // the sum of the terms before `term`
        for (std::size_t term = 0; term < terms; ++term) {
            may_begin[term] = may_begin[term] && fits(i, output.expected(i) - before);
            may_end[term] = may_end[term] && fits(i, before);
            before += product.at(i, term);
        }
    }
    const auto verify = [&](std::size_t first, std::size_t end, double times) {
        if (static_cast<double>(end - first) * static_cast<double>(output.elements) > kMostTerms)
            return false;
        return all_and_enough(output, checkpoint, every, [&](std::size_t i) {
            return fits(i, output.expected(i) + times * product.sum(i, first, end));
        });
    };
    const auto lacking = [&](WrongPattern pattern, std::size_t missing) {
        return FoundPattern{
            pattern, {{"missing", static_cast<double>(missing)}, {"terms", static_cast<double>(terms)}}};
    };
    // The fewest missing terms first. A sum without any term is no pattern of this kind.
    for (std::size_t missing = 1; missing < terms; ++missing) {
        if (may_end[terms - missing])
            return verify(terms - missing, terms, -1)
                       ? std::optional(lacking(WrongPattern::EarlyEnd, missing))
                       : std::nullopt;
        if (may_begin[missing])
            return verify(0, missing, -1) ? std::optional(lacking(WrongPattern::LateStart, missing))
                                          : std::nullopt;
    }
    if (verify(0, 1, 1)) return FoundPattern{WrongPattern::FirstTwice, {}};
    if (verify(terms - 1, terms, 1)) return FoundPattern{WrongPattern::LastTwice, {}};
    return std::nullopt;
}

}  // namespace kwb
