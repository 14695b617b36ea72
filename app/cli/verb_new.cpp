// kwb new: create a kernel to start from.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"
#include "session/experiment.hpp"
#include "catalog/catalogue.hpp"
#include "session/side_car.hpp"
#include "session/starting_point.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

int write_new_kernel(const Options& options) {
    if (names_problem_file(*options.own.problem))
        throw BadInput(
            fmt::format("{0}: for a problem of your own, begin with a copy of its reference, and say problem "
                        "= \"{0}\" in "
                        "its front matter",
                        *options.own.problem));
    const Problem& problem = get_problem(*options.own.problem);
    const fs::path file = options.new_file;
    std::error_code missing;
    if (file.filename().string().find_first_not_of('.') == std::string::npos ||
        fs::is_directory(file, missing))
        throw BadInput(fmt::format("'{}' is no name for a kernel's file; give one, e.g. {}", file.string(),
                                   (file / "my_kernel.cl").lexically_normal().string()));
    if (file.extension() != ".cl")
        throw BadInput(fmt::format("{}: a kernel's file ends in .cl; call it {}", file.string(),
                                   (fs::path(file).replace_extension(".cl")).string()));
    if (const fs::path folder = file.parent_path(); !folder.empty() && !fs::exists(folder, missing))
        throw BadInput(fmt::format("{}: its folder is missing; make it: mkdir -p {}", file.string(),
                                   quote_for_shell(folder.string())));
    for (const fs::path& taken : {file, side_car_of(file)})
        if (fs::exists(fs::symlink_status(taken, missing)))
            throw BadInput(taken.string() + ": is there already and stays as it is; give another name");
    const std::string text =
        starting_point(problem, open_catalogue(options.folders), file.filename().string());
    write_file(file, text, {.sync = true});
    const std::string told = fmt::format(
        "{0} is there: a kernel for {1}, right as it stands. Now\n"
        "  kwb run {2}      time it\n"
        "  kwb check {2}    is it still right, after each change?\n"
        "  kwb gui {2}      the same in the window\n",
        file.string(), problem.name(), quote_for_shell(file.string()));
    write_stdout(plain_signs(told, table_options()));
    return kExitGood;
}

}  // namespace kwb::cli
