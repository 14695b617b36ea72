#include "catalog/kernel_file.hpp"

#include "base/file.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/includes.hpp"
#include "catalog/param_guard.hpp"

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

}  // namespace

KernelFile read_kernel_file(const fs::path& path, const std::string& name) {
    KernelFile file;
    file.declared_in = path.string();
    std::string source = read_file(path);
    if (auto toml = extract_front_matter(path.string(), source)) {
        file.spec = parse_front_matter(file.declared_in, std::move(*toml));
    } else if (const fs::path side_car = path.string() + ".toml"; fs::exists(side_car)) {
        file.declared_in = side_car.string();
        file.spec = parse_front_matter(file.declared_in, read_file(side_car));
    }
    check_param_guards(path.string(), source, macro_names(file.spec));
    file.spec.name = name;
    file.spec.file = path.string();
    file.spec.source_text = std::move(source);
    return file;
}

KernelFile open_kernel_file(const fs::path& path, const std::string& name) {
    KernelFile file = read_kernel_file(path, name);
    file.includes = collect_includes(path, file.spec.source_text);
    for (const auto& include : file.includes)
        check_param_guards((path.parent_path() / include.name).string(), include.value,
                           macro_names(file.spec));
    return file;
}

}  // namespace kwb
