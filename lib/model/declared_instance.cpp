// SPDX-License-Identifier: Apache-2.0
#include "model/declared_instance.hpp"

#include "base/error.hpp"
#include "base/json.hpp"

namespace kwb {
namespace {

std::string short_number(double value) {
    std::string text = Json(value).dump();
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

}  // namespace

std::string to_string(const Tolerance& tolerance) {
    if (tolerance.is_exact()) return "exact";
    std::string text;
    const auto add = [&](const char* between, const std::string& piece) {
        text += (text.empty() ? "" : between) + piece;
    };
    if (tolerance.relative > 0) add("", short_number(tolerance.relative) + " of its size");
    if (tolerance.absolute > 0) add(" and ", short_number(tolerance.absolute));
    if (tolerance.ulp > 0) add(", or ", short_number(tolerance.ulp) + " ulp");
    return text;
}

Tolerance usual_tolerance(const ElementType& type) {
    switch (type.scalar) {
        case Scalar::Float16:
            return {1e-3, 1e-2, 0};
        case Scalar::Float32:
            return {1e-6, 1e-5, 0};
        case Scalar::Float64:
            return {1e-13, 1e-12, 0};
        default:
            return {};
    }
}

std::string join_contents(const DeclaredInstance& declared) {
    std::string all;
    for (const auto& [name, input] : declared.inputs)
        if (input.content) all += *input.content;
    for (const auto& [name, output] : declared.outputs)
        if (output.expected) all += *output.expected;
    return all;
}

void put_contents(DeclaredInstance& declared, std::string_view contents) {
    const auto cut = [&](const std::string& name, BufferContent& content) {
        if (!content) return;
        const std::uint64_t bytes = declared.instance.find_buffer(name)->bytes();
        if (bytes > contents.size()) throw ProtocolError("the content of '" + name + "' is cut short");
        content = std::make_shared<const std::string>(contents.substr(0, bytes));
        contents.remove_prefix(bytes);
    };
    for (auto& [name, input] : declared.inputs) cut(name, input.content);
    for (auto& [name, output] : declared.outputs) cut(name, output.expected);
    if (!contents.empty()) throw ProtocolError("more content than the problem has");
}

}  // namespace kwb
