// SPDX-License-Identifier: Apache-2.0
#include "model/problem.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb {

bool is_square(const Sizes& sizes) {
    return sizes.size() > 1 &&
           std::ranges::all_of(sizes, [&](const auto& size) { return size.value == sizes.front().value; });
}

std::string to_string(const Sizes& sizes) {
    if (is_square(sizes)) return std::to_string(sizes.front().value);
    std::vector<std::string> parts;
    for (const auto& [name, value] : sizes) parts.push_back(name + "=" + std::to_string(value));
    return join(parts, " ");
}

std::uint64_t BufferSpec::elements() const {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : shape) product *= extent;
    return product;
}

const BufferSpec* ProblemInstance::find_buffer(std::string_view name) const {
    for (const BufferSpec& buffer : buffers)
        if (buffer.name == name) return &buffer;
    return nullptr;
}

const ScalarSpec* ProblemInstance::find_scalar(std::string_view name) const {
    for (const ScalarSpec& scalar : scalars)
        if (scalar.name == name) return &scalar;
    return nullptr;
}

std::vector<std::string> ProblemInstance::argument_names() const {
    std::vector<std::string> names;
    for (const BufferSpec& buffer : buffers) names.push_back(buffer.name);
    for (const ScalarSpec& scalar : scalars) names.push_back(scalar.name);
    return names;
}

}  // namespace kwb
