// kwb adopt: keep what options say about a kernel beside it.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "report/text_layout.hpp"
#include "running.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

int adopt_kernel(const Options& options) {
    const fs::path file = options.kernels.front();
    if (file.extension() != ".cl")
        throw BadInput(file.string() + ": only a .cl file can be adopted; give its path");
    const fs::path side_car = side_car_of(file);
    std::error_code missing;
    if (fs::exists(side_car, missing) && !options.overwrite)
        throw BadInput(side_car.string() +
                       ": is there already, and 'kwb run' reads it; change it, or add --force to replace it");
    Said said;
    std::vector<Choice> contestants = {open_bare_kernel(file)};
    complete_kernels(contestants, options.own, said);
    common_problem(contestants);  // refuses if nobody said which
    KernelSpec spec = contestants.front()->spec;
    if (const auto& own = contestants.front()->own_problem)  // found from the kernel's folder
        spec.problem = own->file().lexically_proximate(file.parent_path()).string();
    write_file(side_car, side_car_text(spec), {.sync = true});

    std::string text;
    for (const std::string& line : said) text += printable(line) + '\n';
    text += fmt::format(
        "\n{} keeps this. Now\n"
        "  kwb check {}     is it right, at awkward sizes too?\n"
        "  kwb run {} cpu:blas     how fast is it?\n"
        "and change the side-car freely: it may also have [params], [scratch] and [require], as front "
        "matters "
        "do.\n",
        side_car.string(), file.string(), file.string());
    if (spec.problem != "matmul")
        if (const std::size_t at = text.find(" cpu:blas"); at != std::string::npos) text.erase(at, 9);
    write_stdout(plain_signs(text, table_options()));
    return kExitGood;
}

}  // namespace kwb::cli
