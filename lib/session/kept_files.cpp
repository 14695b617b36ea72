#include "session/kept_files.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "catalog/includes.hpp"
#include "session/side_car.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

NamedList<std::string> includes_of(const fs::path& source) {
    try {
        return collect_includes(source, read_file(source));
    } catch (const BadInput&) {  // reported when the kernel is run
        return {};
    }
}

void add_source(std::vector<fs::path>& files, const fs::path& source,
                const NamedList<std::string>& includes) {
    files.push_back(source);
    files.push_back(side_car_of(source));
    for (const auto& include : includes) files.push_back(source.parent_path() / include.name);
}

}  // namespace

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    if (fs::exists(a, missing) && !fs::is_regular_file(a, missing)) return false;
    return fs::equivalent(a, b, missing) ||
           fs::weakly_canonical(fs::absolute(a), missing) == fs::weakly_canonical(fs::absolute(b), missing);
}

std::vector<fs::path> kept_files(const KernelFile& kernel) {
    std::vector<fs::path> files;
    add_source(files, kernel.spec.file, kernel.includes);
    if (!kernel.own_problem) return files;
    std::vector<fs::path> of_problem = kernel.own_problem->neighbours();
    of_problem.push_back(kernel.own_problem->file());
    for (const fs::path& file : of_problem)
        if (file.extension() == ".cl")
            add_source(files, file, includes_of(file));
        else
            files.push_back(file);
    return files;
}

void refuse_replacing(const std::string& named, const fs::path& output, const KernelFile& kernel) {
    for (const fs::path& file : kept_files(kernel))
        if (is_same_file(output, file))
            throw BadInput(
                fmt::format("{} would replace {}, which belongs to the kernel {}; give the output "
                            "another name or folder",
                            named, file.string(), kernel.spec.name));
}

}  // namespace kwb
