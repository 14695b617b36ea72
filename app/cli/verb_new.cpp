// kwb new: a kernel to begin with.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/shell.hpp"
#include "report/text_layout.hpp"
#include "session/experiment.hpp"
#include "session/kernel_folders.hpp"
#include "session/side_car.hpp"
#include "session/starting_point.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

int write_new_kernel(const Options& options) {
    const Problem& problem = get_problem(*options.own.problem);
    const fs::path file = options.new_file;
    if (file.extension() != ".cl")
        throw BadInput(fmt::format("{}: a kernel's file ends in .cl; call it {}", file.string(),
                                   (fs::path(file).replace_extension(".cl")).string()));
    std::error_code missing;
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
