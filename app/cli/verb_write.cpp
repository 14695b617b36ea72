// SPDX-License-Identifier: Apache-2.0
// kwb adopt, new: verbs that write a file for the user to edit.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "experiment/starting_point.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

/// If the file to be written declares the kernel's problem, that declaration would be lost.
void refuse_losing_problem(const fs::path& side_car, const DeclaredProblem& problem) {
    for (const fs::path& file : {problem.file(), side_car_of(problem.file())})
        if (is_same_file(side_car, file))
            throw BadInput(
                fmt::format("{}: declares the problem {}, which would be lost; move its [problem] to a "
                            "separate file, such as {}.toml, and name that with --problem",
                            side_car.string(), problem.name(), problem.name()));
}

struct AdoptOptions {
    std::vector<std::string> files;  ///< one; as a list, a second one gets a better message
    OwnOptions own;
    KernelChoices choices;  ///< the kernel's own: its declarations get them
    bool overwrite = false;

    void add(CLI::App& verb) {
        verb.add_option("FILE", files, "a .cl file without a front matter")->required()->expected(1);
        add_own_options(verb, own, choices);
        verb.add_flag("--force", overwrite, "replace an existing FILE.cl.toml");
    }
};

int adopt_kernel(const AdoptOptions& options, const Folders&) {
    const fs::path file = options.files.front();
    if (file.extension() != ".cl")
        throw BadInput(file.string() + ": only a .cl file can be adopted; give its path");
    const fs::path side_car = side_car_of(file);
    std::error_code missing;
    if (fs::is_symlink(side_car, missing))
        throw BadInput(side_car.string() +
                       ": is a link, whose target is not replaced; remove the link first");
    if (fs::exists(side_car, missing) && !options.overwrite)
        throw BadInput(side_car.string() +
                       ": already exists, and 'kwb run' reads it; edit it, or add --force to replace it");
    Notes notes;
    std::vector<std::optional<KernelFile>> contestants = {open_bare_kernel(file)};
    complete_kernels(contestants, options.own, notes);
    const bool is_in_blas = common_problem(contestants).has_host_library();  // throws without a problem
    KernelSpec spec = contestants.front()->spec;
    if (const auto& own = contestants.front()->own_problem) refuse_losing_problem(side_car, *own);
    spec.problem = problem_in_side_car(*contestants.front());
    write_file(side_car, side_car_text(spec), {.sync = true});

    std::string text;
    for (const std::string& line : notes) text += printable_line(line) + '\n';
    const std::string word = printable_line(quote_for_shell(file.string()));
    text += fmt::format(
        "\n"
        "Saved in {0}. Next:\n"
        "  kwb check {1}     is it right, at awkward sizes too?\n"
        "  kwb run {1}{2}     how fast is it?\n"
        "You can edit this side-car file: like a front matter, it may also have [params], [scratch] and "
        "[require].\n",
        printable_line(side_car.string()), word, is_in_blas ? " cpu:blas" : "");
    print(text);
    return kExitGood;
}

/// Settings for clangd, the language server of many editors. Version 300 is what drivers of OpenCL C 3
/// define.
constexpr const char* kClangdSettings =
    "# For clangd, which editors ask about the text: OpenCL C as kwb reads it. A macro that only [params] "
    "or\n"
    "# [defines] of a kernel's front matter defines needs its value here, for example -DTILE=16.\n"
    "If:\n"
    "  PathMatch: .*\\.cl\n"
    "CompileFlags:\n"
    "  Add: [-xcl, -cl-std=CL1.2, -D__OPENCL_VERSION__=300, --target=spir64-unknown-unknown,\n"
    "        -Xclang, -fdeclare-opencl-builtins, -Xclang, -finclude-default-header]\n";

struct NewOptions {
    OwnOptions own;  ///< --from: of the kernel
    std::optional<std::string> file, from;
    bool solved = false;

    void add(CLI::App& verb) {
        verb.add_option("PROBLEM", own.problem, "the problem to solve, e.g. matmul");
        verb.add_option("FILE", file, "the file to write, e.g. my_kernel.cl");
        CLI::Option* no_blanks =
            verb.add_flag("--solved", solved, "without blanks: a kernel that is already right");
        add_text(verb, "--from", from, "THEIRS.cl",
                 "instead, draft the declaration of the problem that this file solves, next to it, from the "
                 "kernel's arguments")
            ->excludes(no_blanks);
        add_text(verb, "--entry", own.entry, "NAME", "with --from: its kernel function, if it has several");
        add_repeated(verb, "-D", own.defines, "NAME=VALUE",
                     "with --from: a macro that the kernel's host program defined",
                     [](const std::string& text) { return split_setting("-D", text, "TILE=16"); });
    }
};

int write_new_problem(const NewOptions& options) {
    const fs::path file = *options.from;
    if (options.own.problem)
        throw BadInput(fmt::format(
            "--from {}: already sets the kernel to start from and the file to write; leave out '{}'",
            file.string(), *options.own.problem + (options.file ? " " + *options.file : "")));
    if (file.extension() != ".cl")
        throw BadInput(fmt::format("--from {}: is not a .cl file; give a kernel's file", file.string()));
    KernelFile kernel = open_bare_kernel(file);
    for (const auto& define : options.own.defines)
        kernel.spec.defines.push_back({define.name, macro_expression(define)});
    const SourceKernel entry = choose_entry(kernel, options.own);
    const fs::path side_car = side_car_of(file);
    std::error_code missing;
    if (fs::exists(fs::symlink_status(side_car, missing)))
        throw BadInput(side_car.string() + ": already exists and is not replaced; move it away first");
    const std::string declaration = begin_problem(kernel, entry);
    require_usable(file, declaration);
    write_file(side_car, declaration, {.sync = true});
    print(fmt::format(
        "Wrote {0}, as far as the arguments of {1} allow. Next:\n"
        "  check {0}: sizes, shapes, what fills the buffers\n"
        "  kwb run {2}      does it run, and how fast?\n"
        "To have values checked, name a reference in {0}: a kernel that is obviously right.\n",
        printable_line(side_car.string()), entry.name, printable_line(quote_for_shell(file.string()))));
    return kExitGood;
}

int write_new_kernel(const NewOptions& options, const Folders& folders) {
    if (options.from) return write_new_problem(options);
    if (!options.own.problem || !options.file)
        throw BadInput(
            "kwb new: name a problem and the file to write, e.g. kwb new matmul my_kernel.cl; or start from "
            "an existing kernel: kwb new --from theirs.cl");
    if (options.own.entry)
        throw BadInput(fmt::format("--entry {}: works only with --from; leave it out", *options.own.entry));
    if (!options.own.defines.empty())
        throw BadInput(
            fmt::format("-D {}: works only with --from; leave it out", options.own.defines.front().name));
    if (find_problem(*options.file) != nullptr)
        throw BadInput(fmt::format("kwb new: the problem comes first, then the file: kwb new {} {}",
                                   *options.file, quote_for_shell(*options.own.problem)));
    if (names_problem_file(*options.own.problem))
        throw BadInput(
            fmt::format("{0}: for your own problem, start from a copy of its reference, and set problem = "
                        "\"{0}\" in its front matter",
                        *options.own.problem));
    const Problem& problem = get_problem(*options.own.problem);
    const fs::path file = *options.file;
    std::error_code missing;
    if (file.filename().string().find_first_not_of('.') == std::string::npos ||
        fs::is_directory(file, missing))
        throw BadInput(fmt::format("'{}' cannot be the name of a kernel's file; give one, e.g. {}",
                                   file.string(), (file / "my_kernel.cl").lexically_normal().string()));
    if (file.extension() != ".cl")
        throw BadInput(fmt::format("{}: a kernel's file ends in .cl; call it {}", file.string(),
                                   (fs::path(file).replace_extension(".cl")).string()));
    if (const fs::path folder = file.parent_path(); !folder.empty() && !fs::exists(folder, missing))
        throw BadInput(fmt::format("{}: its folder does not exist; make it: mkdir -p {}", file.string(),
                                   quote_for_shell(folder.string())));
    for (const fs::path& taken : {file, side_car_of(file)})
        if (fs::exists(fs::symlink_status(taken, missing)))
            throw BadInput(taken.string() + ": already exists and is not replaced; give another name");
    const std::string text = starting_point(problem, open_catalogue(folders), file.filename().string(),
                                            options.solved ? StartingBody::Solved : StartingBody::Blanks);
    write_file(file, text, {.sync = true});
    if (const fs::path clangd = file.parent_path() / ".clangd";
        !fs::exists(fs::symlink_status(clangd, missing)))
        write_file(clangd, kClangdSettings);
    const std::string summary = fmt::format(
        "Wrote {0}: a kernel for {1}, {3}. Next:\n"
        "  kwb run {2}      time it\n"
        "  kwb check {2}    is it {4}, after each change?\n"
        "  kwb gui {2}      the same in the window\n",
        printable_line(file.string()), problem.name(), printable_line(quote_for_shell(file.string())),
        options.solved ? "already right" : "with blanks to fill in, ____",
        options.solved ? "still right" : "right");
    print(summary);
    return kExitGood;
}

}  // namespace

Verb add_adopt(CLI::App& kwb) {
    return add_verb<AdoptOptions>(kwb, {"adopt", "save the options for a kernel next to it, in FILE.cl.toml"},
                                  adopt_kernel);
}

Verb add_new(CLI::App& kwb) {
    return add_verb<NewOptions>(
        kwb,
        {"new", "write a kernel with blanks to fill in; with --from: declare a problem",
         "Next to the kernel it writes .clangd, unless there is one: settings with which editors understand "
         "OpenCL C.\n"},
        write_new_kernel);
}

}  // namespace kwb::cli
