#include "catalog/kernel_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/includes.hpp"
#include "catalog/param_guard.hpp"
#include "catalog/source_scan.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// What is given to the compiler as -DNAME=value.
std::vector<std::string> macro_names(const KernelSpec& spec) {
    std::vector<std::string> names = names_of(spec.params);
    const std::vector<std::string> defines = names_of(spec.defines);
    names.insert(names.end(), defines.begin(), defines.end());
    return names;
}

void require_text(const fs::path& path, std::string_view source) {
    if (trim(source).empty())
        throw BadInput(
            path.string() +
            ": the file is empty; write a kernel into it ('kwb show matmul/naive' has an example)");
    if (source.find('\0') != std::string_view::npos)
        throw BadInput(
            path.string() +
            ": this is no text but holds bytes of value 0; name the kernel's source, not a program");
}

}  // namespace

void refuse_key(const KernelFile& file, std::string_view key, const std::string& what) {
    const Place* place = find_named(file.places, key);
    if (place == nullptr) place = find_named(file.places, "");
    if (place == nullptr) throw BadInput(file.declared_in + ": " + what);
    refuse_at(file.declared_in, *place, what);
}

KernelFile read_kernel_file(const fs::path& path, const std::string& name, const EditedTexts& edited) {
    std::string source = edited.read(path);
    KernelFile file;
    file.declared_in = path.string();
    require_text(path, source);
    const fs::path side_car = path.string() + ".toml";
    std::optional<std::string> toml = extract_front_matter(path.string(), source);
    if (edited.exists(side_car)) {
        if (toml)
            throw BadInput(path.string() + ": has a front matter, and " + side_car.string() +
                           " says the same things beside it; remove one of them");
        file.declared_in = side_car.string();
        file.places.push_back({"", Place{}});
        toml = edited.read(side_car);
    } else if (toml) {
        file.places.push_back({"", place_of(source, *find_first_comment(source))});
    }
    if (toml) {
        file.spec = parse_front_matter(file.declared_in, *toml);
        for (auto& place : find_places(file.declared_in, std::move(*toml)))
            file.places.push_back(std::move(place));
    }
    check_param_guards(path.string(), source, macro_names(file.spec));
    file.spec.name = name;
    file.spec.file = path.string();
    file.spec.source_text = std::move(source);
    return file;
}

KernelFile open_kernel_file(const fs::path& path, const std::string& name, const EditedTexts& edited) {
    KernelFile file = read_kernel_file(path, name, edited);
    file.includes = collect_includes(path, file.spec.source_text, edited);
    for (const auto& include : file.includes)
        check_param_guards((path.parent_path() / include.name).string(), include.value,
                           macro_names(file.spec));
    return file;
}

}  // namespace kwb
