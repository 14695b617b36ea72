// SPDX-License-Identifier: Apache-2.0
#include "experiment/starting_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "catalog/edited_texts.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/side_car.hpp"
#include "model/argument_names.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOnlySize = "N";  ///< of a kernel that takes none

bool is_size(const KernelParameter& parameter) {
    const auto type = parse_element_type(parameter.element_type());
    return parameter.is_value() && type && type->width == 1 && !type->is_floating() &&
           type->bytes() >= sizeof(int) && !speaks_of_no_size(parameter.name);
}

/// A vector of three components takes the space of four, and no problem has the former. The type of an image
/// does not determine its pixels.
std::string buffer_type(const KernelParameter& parameter) {
    if (parameter.is_image()) return "float4";
    auto type = parse_element_type(parameter.element_type());
    if (!type || type->width != 3) return parameter.element_type();
    type->width = 4;
    return to_string(*type);
}

/// The tables of the declaration, as a signature fills them.
class Declaration {
public:
    Declaration(const KernelFile& file, const SourceKernel& kernel) : file_(file), kernel_(kernel) {
        for (const KernelParameter& parameter : kernel.parameters)
            if (is_size(parameter)) sizes_.push_back(parameter.name);
        if (sizes_.empty())
            sizes_.push_back(find_named(file.spec.defines, kOnlySize) == nullptr ? kOnlySize : "SIZE");
        choose_shape();
        for (const KernelParameter& parameter : kernel.parameters) add(parameter);
    }

    std::string text() const {
        const fs::path path = file_.spec.file;
        // A reference, which may be a triple loop, has to cope with them.
        const std::size_t dimensions = std::max<std::size_t>(sizes_.size(), kernel_.dimensions);
        const char* const usual = dimensions == 1 ? "4096" : dimensions == 2 ? "256" : "64";
        std::vector<std::string> sizes;
        for (const std::string& size : sizes_) sizes.push_back(fmt::format("{} = {}", size, usual));
        const std::string stem = path.stem().string();
        std::string text = fmt::format(
            "# The problem of {}, inferred from the arguments of {}. Edit it as needed:\n"
            "# docs/front-matter.md explains every key. Check the sizes, shapes and values.\n"
            "[problem]\n",
            printable(path.filename().string()), kernel_.name);
        if (find_problem(stem) != nullptr) text += "name = " + in_quotes("my_" + stem) + '\n';
        text += fmt::format("sizes = {{{}}}\n", join(sizes, ", "));
        text +=
            "# reference = \"simple.cl\"   # a kernel that is obviously right; without it, no values are "
            "checked\n";
        text += "\n[problem.buffers]\n" + buffers_;
        if (!scalars_.empty()) text += "\n[problem.scalars]\n" + scalars_;
        text +=
            "\n"
            "# Missing entries are guessed: global, local, and the arguments by their names.\n"
            "[launch]\n";
        text += fmt::format("kernel = {}\n", in_quotes(kernel_.name));
        if (!global_.empty()) text += fmt::format("global = [{}]\n", join(global_, ", "));
        if (!local_mem_.empty() && !kernel_.work_group)
            text += fmt::format("local = [{}]\n", kernel_.dimensions < 2    ? "64"
                                                  : kernel_.dimensions == 2 ? "8, 8"
                                                                            : "4, 4, 4");
        if (!args_.empty()) text += fmt::format("args = {{{}}}\n", join(args_, ", "));
        if (!local_mem_.empty()) text += fmt::format("local_mem = {{{}}}\n", join(local_mem_, ", "));
        if (!file_.spec.defines.empty()) text += "\n[defines]\n";
        for (const auto& [name, value] : file_.spec.defines)
            text += fmt::format("{} = {}\n", name, in_quotes(value.text));
        return text;
    }

private:
    bool is_known(const std::string& size) const { return std::ranges::find(sizes_, size) != sizes_.end(); }

    /// One extent for each dimension of the NDRange, the innermost last. A kernel of one dimension may have
    /// rows and columns, too.
    void choose_shape() {
        const std::size_t dimensions = std::max(1u, kernel_.dimensions);
        const std::size_t extents = std::max(dimensions, std::min<std::size_t>(sizes_.size(), 2));
        for (std::size_t i = 0; i < extents; ++i) shape_.push_back(sizes_[std::min(i, sizes_.size() - 1)]);
        bool is_guarded = extents == dimensions;
        for (std::size_t d = 0; d < dimensions; ++d) is_guarded = is_guarded && is_known(kernel_.bounds[d]);
        if (is_guarded)
            for (std::size_t d = 0; d < dimensions; ++d) shape_[extents - 1 - d] = kernel_.bounds[d];
        // Rows come first, but many declare (…, int width, int height).
        else if (std::string_view("wWxXcC").find(shape_.front().front()) != std::string_view::npos)
            std::ranges::reverse(shape_);
    }

    void add(const KernelParameter& parameter) {
        const auto type = parse_element_type(parameter.element_type());
        if (parameter.is_local()) {
            const std::vector<std::string> items(kLocalNames.begin(),
                                                 kLocalNames.begin() + std::max(1u, kernel_.dimensions));
            local_mem_.push_back(fmt::format("{} = \"{}\"", parameter.name, join(items, " * ")));
        } else if ((parameter.is_buffer() && type) || parameter.type_name == kImage) {
            add_buffer(parameter, buffer_type(parameter), {});
        } else if (const auto* const record = find_named(kernel_.structures, parameter.name);
                   record != nullptr && parameter.is_buffer() && is_of_one_type(*record)) {
            add_buffer(parameter, to_string(ElementType{record->numbers.front().scalar, 1}),
                       fmt::format("{}", record->numbers.size()));
        } else if (const std::size_t* const numbers = find_named(kernel_.records, parameter.name)) {
            add_list(parameter, *numbers);
        } else if (parameter.is_sampler()) {
            return;
        } else if (!parameter.is_value() || !type) {
            throw BadInput(fmt::format(
                "{}:{}: argument '{}' of {} has the type {}, which a problem cannot have{}; "
                "docs/front-matter.md lists the types of its buffers and numbers{}",
                file_.spec.file, kernel_.line, parameter.name, kernel_.name, parameter.type_name,
                advise_on_type(parameter.element_type()),
                record != nullptr ? ", and a structure's numbers must all have one of them" : ""));
        } else if (type->width > 1) {
            add_list(parameter, type->width);
        } else if (is_size(parameter)) {
            return;
        } else if (type->is_floating()) {
            scalars_ += fmt::format("{} = {{type = {}, value = 1}}\n", parameter.name,
                                    in_quotes(parameter.element_type()));
        } else {
            args_.push_back(parameter.name + " = 0");
        }
    }

    /// If the innermost extent belongs to a structure, the buffers no longer determine the NDRange.
    void tell_global() {
        std::vector<std::string> extents(shape_.rbegin(), shape_.rend());
        if (kernel_.dimensions < 2) extents = {join(shape_, " * ")};
        global_.clear();
        for (std::size_t d = 0; d < extents.size() && d < kLocalNames.size(); ++d)
            global_.push_back(in_quotes(fmt::format("round_up({}, {})", extents[d], kLocalNames[d])));
    }

    /// True if a buffer of the numbers lies in memory as the structures do.
    static bool is_of_one_type(const source::Record& record) {
        const ElementType type{record.numbers.front().scalar, 1};
        return record.bytes == record.numbers.size() * type.bytes() &&
               std::ranges::all_of(record.numbers,
                                   [&](const auto& number) { return number.scalar == type.scalar; });
    }

    /// @param inner  a further extent: the numbers of a structure; empty: none
    void add_buffer(const KernelParameter& parameter, const std::string& type, const std::string& inner) {
        const bool is_input = parameter.is_const || parameter.space == AddressSpace::Constant;
        const bool is_changed = std::ranges::find(kernel_.read, parameter.name) != kernel_.read.end();
        std::vector<std::string> shape;
        for (const std::string& extent : shape_) shape.push_back(in_quotes(extent));
        if (parameter.is_image() && shape.size() == 1) shape.push_back(shape.front());
        if (!inner.empty()) {
            shape.push_back(inner);
            tell_global();
        }
        const bool is_floating = parse_element_type(type) && parse_element_type(type)->is_floating();
        const std::string fill = !is_input && is_changed
                                     ? fmt::format(", fill = \"{}\"", is_floating ? "uniform" : "integers")
                                     : "";
        buffers_ += fmt::format("{} = {{type = {}, shape = [{}]{}{}}}\n", parameter.name, in_quotes(type),
                                join(shape, ", "), fill, is_input ? "" : ", output = true");
    }

    void add_list(const KernelParameter& parameter, std::size_t numbers) {
        args_.push_back(
            fmt::format("{} = \"[{}]\"", parameter.name, join(std::vector<std::string>(numbers, "1"), ", ")));
    }

    const KernelFile& file_;
    const SourceKernel& kernel_;
    std::vector<std::string> sizes_, shape_, args_, local_mem_;
    std::vector<std::string> global_;  ///< empty: it is guessed
    std::string buffers_, scalars_;
};

}  // namespace

std::string begin_problem(const KernelFile& file, const SourceKernel& kernel) {
    return Declaration(file, kernel).text();
}

void require_usable(const fs::path& file, const std::string& declaration) {
    EditedTexts written;
    written.put(side_car_of(file), declaration);
    Notes notes;
    resolve_anywhere(complete_kernel(open_kernel_file(file, file.string(), written), {}, notes), {});
}

}  // namespace kwb
