// SPDX-License-Identifier: Apache-2.0
#include "debug/needed_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "debug/data_flow.hpp"

namespace kwb::debug {
namespace {

/// Elements of a matrix; both ends count.
struct Block {
    std::uint64_t first_row, last_row, first_column, last_column;
};

std::set<std::uint64_t> elements_of(const Block& block, std::uint64_t columns) {
    std::set<std::uint64_t> elements;
    for (std::uint64_t row = block.first_row; row <= block.last_row; ++row)
        for (std::uint64_t column = block.first_column; column <= block.last_column; ++column)
            elements.insert(row * columns + column);
    return elements;
}

/// "0 … 14", "3"; nullopt: there are gaps.
std::optional<std::string> range_text(const std::set<std::uint64_t>& numbers) {
    const std::uint64_t first = *numbers.begin(), last = *numbers.rbegin();
    if (last - first + 1 != numbers.size()) return std::nullopt;
    return first == last ? std::to_string(first) : fmt::format("{} … {}", first, last);
}

/// The last word of a line of code ends a statement or a block, or begins one.
bool ends_statement(std::string_view line) {
    line = trim(line.substr(0, line.find("//")));
    return !line.empty() && std::string_view(";{}").find(line.back()) != std::string_view::npos;
}

/// Functions through which values go from work-item to work-item without memory.
bool has_hidden_ways(const NamedList<std::string>& sources) {
    return std::ranges::any_of(sources, [](const Named<std::string>& source) {
        return std::ranges::any_of(
            std::to_array<std::string_view>({"work_group_", "sub_group_", "async_work_group"}),
            [&](std::string_view word) { return source.value.find(word) != std::string::npos; });
    });
}

std::vector<std::string> texts_of(const Elements& elements, const ProblemInstance& instance) {
    std::vector<std::string> texts;
    for (const auto& [name, numbers] : elements)
        if (const BufferSpec* const buffer = instance.find_buffer(name);
            buffer != nullptr && !numbers.empty())
            texts.push_back(name + elements_text(numbers, buffer->shape));
    return texts;
}

}  // namespace

Elements needed_elements(const ProblemInstance& instance, const std::string& buffer,
                         const std::vector<std::uint64_t>& index) {
    const std::string problem = instance.problem.substr(0, instance.problem.find(':'));  // without a type
    const auto shape_of = [&](const char* name) { return instance.find_buffer(name)->shape; };
    if (problem == "matmul" && buffer == "C") {
        const std::uint64_t k = shape_of("A")[1], n = shape_of("B")[1];
        return {{"A", elements_of({index[0], index[0], 0, k - 1}, k)},
                {"B", elements_of({0, k - 1, index[1], index[1]}, n)}};
    }
    if (problem == "transpose" && buffer == "B") return {{"A", {index[1] * shape_of("A")[1] + index[0]}}};
    if (problem == "sum" && buffer == "R")
        return {{"X", elements_of({0, 0, 0, shape_of("X")[0] - 1}, shape_of("X")[0])}};
    if (problem == "scan" && buffer == "Y")
        return {{"X", elements_of({0, 0, 0, index[0]}, shape_of("X")[0])}};
    if (problem == "vector_add" && buffer == "C") return {{"A", {index[0]}}, {"B", {index[0]}}};
    if (problem == "copy" && buffer == "Y") return {{"X", {index[0]}}};
    if (problem == "convolution" && buffer == "result") {
        const std::uint64_t f = shape_of("filter")[0];
        return {{"image",
                 elements_of({index[0], index[0] + f - 1, index[1], index[1] + f - 1}, shape_of("image")[1])},
                {"filter", elements_of({0, f - 1, 0, f - 1}, f)}};
    }
    const std::int64_t* const steps = find_named(instance.sizes, "S");
    if (problem == "stencil" && buffer == "Y" && steps != nullptr && *steps == 1) {
        const std::uint64_t h = shape_of("X")[0], w = shape_of("X")[1], y = index[0], x = index[1];
        if (y == 0 || x == 0 || y + 1 == h || x + 1 == w) return {{"X", {y * w + x}}};
        return {{"X", {(y - 1) * w + x, y * w + x - 1, y * w + x + 1, (y + 1) * w + x}}};
    }
    return {};
}

std::string elements_text(const std::set<std::uint64_t>& elements, const std::vector<std::uint64_t>& shape) {
    if (shape.size() == 1)
        if (const auto range = range_text(elements)) return "[" + *range + "]";
    if (shape.size() == 2) {
        std::set<std::uint64_t> rows, columns;
        for (const std::uint64_t element : elements) {
            rows.insert(element / shape[1]);
            columns.insert(element % shape[1]);
        }
        const auto row_range = range_text(rows), column_range = range_text(columns);
        if (row_range && column_range && rows.size() * columns.size() == elements.size())
            return fmt::format("[{}][{}]", *row_range, *column_range);
    }
    constexpr std::size_t kMostListed = 4;
    std::vector<std::string> listed;
    for (const std::uint64_t element : elements) {
        if (listed.size() == kMostListed) break;
        listed.push_back(shape.size() == 2 ? fmt::format("[{}][{}]", element / shape[1], element % shape[1])
                                           : fmt::format("[{}]", element));
    }
    const std::size_t rest = elements.size() - listed.size();
    return join(listed, ", ") + (rest > 0 ? fmt::format(" and {} more", rest) : "");
}

std::string reads_text(const Player& player, std::uint32_t store, const std::string& element,
                       const ProblemInstance& instance, const Elements& needed,
                       const std::vector<std::string>& buffers, const NamedList<std::string>& sources) {
    if (needed.empty() || has_hidden_ways(sources)) return "";
    NamedList<std::vector<std::string>> lines;
    for (const auto& [name, text] : sources) lines.push_back({name, split_lines(text)});
    const ReadsBehind behind = reads_behind(player, store, [&](const XrayPlace& place) {
        const std::vector<std::string>* const file = find_named(lines, place.file);
        return file != nullptr && place.line > 0 && place.line <= file->size() &&
               ends_statement((*file)[place.line - 1]);
    });
    if (!behind.is_complete) return "";
    NamedList<std::map<std::uint64_t, std::uint32_t>> read;
    for (const auto& [number, elements] : behind.elements) {
        const std::string name = number < buffers.size() ? buffers[number] : "";
        const BufferSpec* const buffer = instance.find_buffer(name);
        // What another launch or work-group has stored there came from elements that are not known.
        if (buffer == nullptr || buffer->access != Access::Read) return "";
        read.push_back({name, elements});
    }
    Elements never, again, other;
    bool is_twice = true;
    for (const auto& [name, elements] : needed) {
        const auto* const found = find_named(read, name);
        std::set<std::uint64_t> unread, repeated, beside;
        for (const std::uint64_t one : elements)
            if (found == nullptr || !found->contains(one)) unread.insert(one);
        if (found != nullptr)
            for (const auto& [one, times] : *found) {
                if (!elements.contains(one)) beside.insert(one);
                if (!elements.contains(one) || times < 2) continue;
                repeated.insert(one);
                is_twice = is_twice && times == 2;
            }
        // A kernel that reads all of them twice means it.
        if (repeated.size() == elements.size()) repeated.clear();
        never.push_back({name, std::move(unread)});
        again.push_back({name, std::move(repeated)});
        other.push_back({name, std::move(beside)});
    }
    const std::vector<std::string> missing = texts_of(never, instance), repeated = texts_of(again, instance),
                                   beside = texts_of(other, instance);
    if (missing.empty() && repeated.empty()) return "";
    std::string text = fmt::format("{} needs {}. What was computed for it ", element,
                                   enumerate(texts_of(needed, instance), "and"));
    if (!repeated.empty())
        text += fmt::format("read {} {}{}", enumerate(repeated, "and"), is_twice ? "twice" : "more than once",
                            missing.empty() ? "." : ", and ");
    if (missing.empty()) return text;
    return text + fmt::format("never read {}{}.", enumerate(missing, "and"),
                              beside.empty() ? "" : ", but " + enumerate(beside, "and"));
}

}  // namespace kwb::debug
