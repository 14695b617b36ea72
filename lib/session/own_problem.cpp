#include "session/own_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "catalog/toml_text.hpp"
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

/// A vector of three components takes the space of four, and no problem has the former. What an image holds,
/// its type does not tell.
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
        if (sizes_.empty()) sizes_.push_back(kOnlySize);
        for (const KernelParameter& parameter : kernel.parameters) add(parameter);
    }

    std::string text() const {
        const fs::path path = file_.spec.file;
        // A reference, which may be a triple loop, has to cope with them.
        const char* const usual = sizes_.size() == 1 ? "4096" : sizes_.size() == 2 ? "256" : "64";
        std::vector<std::string> sizes;
        for (const std::string& size : sizes_) sizes.push_back(fmt::format("{} = {}", size, usual));
        const std::string stem = path.stem().string();
        std::string text = fmt::format(
            "# What {} solves, as far as the arguments of {} tell. Change it freely:\n"
            "# docs/own-problems.md explains every key. Are the sizes, shapes and values right?\n"
            "[problem]\n",
            printable(path.filename().string()), kernel_.name);
        if (find_problem(stem) != nullptr) text += "name = " + in_quotes("my_" + stem) + '\n';
        text += fmt::format("sizes = {{{}}}\n", join(sizes, ", "));
        text +=
            "# reference = \"simple.cl\"   # a kernel that is obviously right; without it no value is "
            "checked\n";
        text += "\n[problem.buffers]\n" + buffers_;
        if (!scalars_.empty()) text += "\n[problem.scalars]\n" + scalars_;
        text +=
            "\n# What it leaves out is guessed: global, local, and the arguments by their names.\n[launch]\n";
        text += fmt::format("kernel = {}\n", in_quotes(kernel_.name));
        if (!args_.empty()) text += fmt::format("args = {{{}}}\n", join(args_, ", "));
        if (!local_mem_.empty()) text += fmt::format("local_mem = {{{}}}\n", join(local_mem_, ", "));
        return text;
    }

private:
    void add(const KernelParameter& parameter) {
        const auto type = parse_element_type(parameter.element_type());
        if (parameter.is_local()) {
            local_mem_.push_back(parameter.name + " = \"local.x\"");
        } else if ((parameter.is_buffer() && type) || parameter.type_name == kImage) {
            add_buffer(parameter);
        } else if (const std::size_t* const numbers = find_named(kernel_.records, parameter.name)) {
            add_list(parameter, *numbers);
        } else if (parameter.is_sampler()) {
            return;
        } else if (!parameter.is_value() || !type) {
            throw BadInput(fmt::format(
                "{}:{}: argument '{}' of {} is of type {}, which no problem has; its buffers and numbers "
                "are of the types that docs/own-problems.md lists",
                file_.spec.file, kernel_.line, parameter.name, kernel_.name, parameter.type_name));
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

    void add_buffer(const KernelParameter& parameter) {
        const bool is_input = parameter.is_const || parameter.space == AddressSpace::Constant;
        std::vector<std::string> shape;
        for (std::size_t i = 0; i < sizes_.size() && i < 2; ++i) shape.push_back(in_quotes(sizes_[i]));
        if (parameter.is_image()) {
            if (shape.size() == 1) shape.push_back(shape.front());
            // Rows come first, but many declare (…, int width, int height).
            if (std::string_view("wWxXcC").find(sizes_.front().front()) != std::string_view::npos)
                std::swap(shape.front(), shape.back());
        }
        buffers_ += fmt::format("{} = {{type = {}, shape = [{}]{}}}{}\n", parameter.name,
                                in_quotes(buffer_type(parameter)), join(shape, ", "),
                                is_input ? "" : ", output = true",
                                is_input ? "" : "   # if it is read, too, add fill = \"uniform\"");
    }

    void add_list(const KernelParameter& parameter, std::size_t numbers) {
        args_.push_back(
            fmt::format("{} = \"[{}]\"", parameter.name, join(std::vector<std::string>(numbers, "1"), ", ")));
    }

    const KernelFile& file_;
    const SourceKernel& kernel_;
    std::vector<std::string> sizes_, args_, local_mem_;
    std::string buffers_, scalars_;
};

}  // namespace

std::string begin_problem(const KernelFile& file, const SourceKernel& kernel) {
    return Declaration(file, kernel).text();
}

}  // namespace kwb
