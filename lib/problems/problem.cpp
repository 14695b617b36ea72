// SPDX-License-Identifier: Apache-2.0
#include "problems/problem.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

/// Extents are passed to kernels as `int` arguments.
constexpr std::int64_t kLargestExtent = INT32_MAX;

[[noreturn]] void refuse_size(const Problem& problem, std::string_view text, const std::string& finding) {
    const std::vector<std::string> names = problem.size_names();
    const std::string all = names.size() == 1 ? "" : ", or " + join(names, "x") + ", e.g. 512x256x1024";
    throw BadInput("size '" + std::string(text) + "': " + finding + ". Give one number, e.g. 512 or 4k" +
                   all);
}

/// @param piece  "1000000", or in lower case "1m"
std::int64_t parse_extent(const Problem& problem, std::string_view whole, std::string_view piece) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    const std::string_view unit = piece.substr(static_cast<std::size_t>(end - piece.data()));
    const std::int64_t scale = unit == "k" ? 1000 : unit == "m" ? 1'000'000 : unit == "g" ? 1'000'000'000 : 1;
    if (error == std::errc::result_out_of_range || value > std::numeric_limits<std::int64_t>::max() / scale)
        refuse_size(problem, whole, "'" + std::string(piece) + "' is too large");
    if (piece.find(',') != std::string_view::npos)
        refuse_size(problem, whole, "several sizes work only with 'kwb sweep --sizes'");
    if (error != std::errc{} || (scale == 1 && !unit.empty()))
        refuse_size(problem, whole, "'" + std::string(piece) + "' is not a whole number");
    value *= scale;
    if (value < 1) refuse_size(problem, whole, "every size must be at least 1");
    if (value > kLargestExtent)
        refuse_size(problem, whole,
                    std::to_string(value) + " is more than a kernel's int can hold (" +
                        std::to_string(kLargestExtent) + ")");
    return value;
}

}  // namespace

Sizes Problem::square(std::int64_t edge) const {
    Sizes sizes;
    for (const std::string& name : size_names()) sizes.push_back({name, edge});
    return sizes;
}

std::filesystem::path Problem::file() const {
    return {};
}

std::optional<std::string> Problem::find_checking_limit(const Sizes&) const {
    return std::nullopt;
}

std::optional<FrozenProblem> Problem::freeze(const Sizes&, std::uint64_t) const {
    return std::nullopt;
}

std::shared_ptr<const DeclaredInstance> Problem::evaluate(const Sizes&, const DeviceInfo&) const {
    return nullptr;
}

bool is_same_problem(const Problem& a, const Problem& b) {
    if (&a == &b) return true;
    std::error_code error;
    return !a.file().empty() && !b.file().empty() && std::filesystem::equivalent(a.file(), b.file(), error);
}

Sizes parse_sizes(const Problem& problem, std::string_view text) {
    const std::vector<std::string> names = problem.size_names();
    const std::vector<std::string> pieces = split(to_lower(text), 'x');
    if (pieces.size() != 1 && pieces.size() != names.size())
        refuse_size(problem, text,
                    std::to_string(pieces.size()) + " sizes, but " + problem.name() + " has " +
                        std::to_string(names.size()) + " (" + join(names, ", ") + ")");
    if (pieces.size() == 1) return problem.square(parse_extent(problem, text, pieces[0]));
    Sizes sizes;
    for (std::size_t i = 0; i < names.size(); ++i)
        sizes.push_back({names[i], parse_extent(problem, text, pieces[i])});
    return sizes;
}

std::vector<std::int64_t> awkward_lengths(std::int64_t tile) {
    expects(tile >= 1, "awkward_lengths: tile must be at least 1");
    constexpr std::int64_t kLongest = 100003;  // a prime; longer arrays find no further bugs and take long
    std::set<std::int64_t> lengths = {1, 2, 3, 5, 31, 97, 1009, 4096, kLongest};
    const auto around = [&](std::int64_t multiple) {
        for (const std::int64_t length : {multiple - 1, multiple, multiple + 1})
            if (length >= 1 && length <= kLongest) lengths.insert(length);
    };
    for (const std::int64_t vector : {4, 16, 128}) around(vector);
    for (const std::int64_t times : {1, 4, 16, 128})
        if (tile <= kLongest / times) around(tile * times);
    return {lengths.begin(), lengths.end()};
}

std::vector<std::int64_t> awkward_edges(std::int64_t tile) {
    expects(tile >= 1, "awkward_edges: tile must be at least 1");
    return {
        1,  2,  3,  std::max<std::int64_t>(1, tile - 1), tile, tile + 1, 4 * tile - 1, 4 * tile, 4 * tile + 1,
        31, 97, 128};
}

}  // namespace kwb
