// kwb adopt: save options for a kernel in a side-car.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"
#include "running.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

/// If the file to be written declares the kernel's problem, that declaration would be lost.
void refuse_losing_problem(const fs::path& side_car, const DeclaredProblem& problem) {
    for (const fs::path& file : {problem.file(), side_car_of(problem.file())})
        if (is_same_file(side_car, file))
            throw BadInput(fmt::format(
                "{}: declares the problem {}, which would be lost; move its [problem] to a file of "
                "its own, such as {}.toml, and name that with --problem",
                side_car.string(), problem.name(), problem.name()));
}

}  // namespace

int adopt_kernel(const Options& options) {
    const fs::path file = options.kernels.front();
    if (file.extension() != ".cl")
        throw BadInput(file.string() + ": only a .cl file can be adopted; give its path");
    const fs::path side_car = side_car_of(file);
    std::error_code missing;
    if (fs::is_symlink(side_car, missing))
        throw BadInput(side_car.string() +
                       ": is a link, and what it points to stays as it is; remove the link first");
    if (fs::exists(side_car, missing) && !options.overwrite)
        throw BadInput(side_car.string() +
                       ": is there already, and 'kwb run' reads it; change it, or add --force to replace it");
    Notes notes;
    std::vector<std::optional<KernelFile>> contestants = {open_bare_kernel(file)};
    complete_kernels(contestants, options.own, notes);
    const bool is_in_blas = common_problem(contestants).has_host_library();  // throws without a problem
    KernelSpec spec = contestants.front()->spec;
    if (const auto& own = contestants.front()->own_problem) refuse_losing_problem(side_car, *own);
    spec.problem = problem_in_side_car(*contestants.front());
    write_file(side_car, side_car_text(spec), {.sync = true});

    std::string text;
    for (const std::string& line : notes) text += printable(line) + '\n';
    const std::string word = quote_for_shell(file.string());
    text += fmt::format(
        "\n{0} keeps this. Now\n"
        "  kwb check {1}     is it right, at awkward sizes too?\n"
        "  kwb run {1}{2}     how fast is it?\n"
        "and change the side-car freely: it may also have [params], [scratch] and [require], as front "
        "matters do.\n",
        side_car.string(), word, is_in_blas ? " cpu:blas" : "");
    write_stdout(plain_signs(text, table_options()));
    return kExitGood;
}

}  // namespace kwb::cli
