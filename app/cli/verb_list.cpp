// SPDX-License-Identifier: Apache-2.0
// kwb devices, kernels, show: verbs that only list.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "conversation.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_words.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem_spec.hpp"
#include "outputs.hpp"
#include "report/documents.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

std::string describe_values(const std::vector<ParamValue>& values) {
    std::vector<std::string> texts;
    for (const ParamValue& value : values) texts.push_back(to_string(value));
    return join(texts, ", ");
}

/// @param chosen  the work-group size that the user chose
std::string describe_work_group(const LaunchSpec& launch, const KernelChoices& chosen) {
    if (chosen.local_auto) return "chosen by the driver (--local)";
    if (chosen.local && chosen.local->size() == launch.global.size())
        return fmt::format("{} (--local)", fmt::join(*chosen.local, " x "));
    return launch.local ? join_written(*launch.local, " x ") : "chosen by the driver";
}

std::string describe_launch(const LaunchSpec& launch, const KernelChoices& chosen) {
    return fmt::format("{}: global {}, work-group {}", launch.kernel, join_written(launch.global, " x "),
                       describe_work_group(launch, chosen));
}

/// Describe a launch and the arguments that it sets.
void add_launch(const LaunchSpec& launch, const KernelChoices& chosen,
                const std::function<void(const char*, const std::string&)>& add) {
    add("launch", describe_launch(launch, chosen));
    std::vector<std::string> bound;
    for (const auto& [name, value] : launch.args) bound.push_back(name + " = " + value.text);
    for (const auto& [name, elements] : launch.local_mem)
        bound.push_back(fmt::format("{} = {} elements of local memory", name, elements.text));
    add("arguments", join(bound, ", "));
}

std::string catalogue_text(const Catalogue& catalogue, const TableOptions& options) {
    std::size_t name_width = 0;
    for (const CatalogueEntry& entry : catalogue.entries())
        name_width = std::max(name_width, display_width(printable_line(entry.name)));
    std::string text;
    for (const CatalogueEntry& entry : catalogue.entries()) {
        text += pad_right(printable_line(entry.name), name_width + 2);
        const bool broken = !entry.kernel;
        std::string line = paragraph(broken ? "broken: " + entry.error : entry.kernel->spec.title,
                                     options.width, name_width + 2);
        text += line.empty() ? "\n" : line.erase(0, std::min(line.size(), name_width + 2));
        if (broken) continue;
        for (const auto& [name, values] : entry.kernel->spec.params)
            text += std::string(name_width + 2, ' ') + name + " = " +
                    printable_line(describe_values(values)) + "\n";
    }
    if (text.empty()) text = "No kernels found; --kernels DIR adds a folder of kernels.\n";
    return text +
           "\n"
           "cpu:blas, the CPU's BLAS library (OpenBLAS), can be compared with them.\n"
           "'kwb show NAME' shows a kernel's idea, launch and source.\n";
}

std::string describe_buffer(const DeclaredBufferSpec& buffer) {
    std::string text = fmt::format("{}, {}", to_string(buffer.type), join_written(buffer.shape, " x "));
    if (buffer.fill) {
        const bool is_number = buffer.fill->kind == FillKind::Constant;
        const std::optional<Written>& first = buffer.fill->first;
        text += ", filled: ";
        if (is_number)
            text += first ? first->text : "0";
        else
            text +=
                buffer.fill->kind == FillKind::Array ? buffer.fill->file.text : to_string(buffer.fill->kind);
        if (first && !is_number) text += " " + first->text;
        if (buffer.fill->second) text += ", " + buffer.fill->second->text;
    }
    if (!buffer.is_output) return text;
    text += ", output, tolerance " + to_string(buffer.tolerance.value_or(usual_tolerance(buffer.type)));
    if (buffer.expected) text += ", compared with " + buffer.expected->text;
    return text;
}

/// Describe a problem that the user declared, one line for each declaration.
template <class Add>
void describe_problem(const ProblemSpec& problem, const Add& add) {
    add("", problem.title);
    for (const auto& [name, size] : problem.sizes) add("size", fmt::format("{} = {}", name, size.usual));
    for (const auto& [name, buffer] : problem.buffers) add("buffer", name + ": " + describe_buffer(buffer));
    for (const auto& [name, scalar] : problem.scalars)
        add("number", fmt::format("{} = {} ({})", name, scalar.value.text, to_string(scalar.type)));
    if (problem.reference)
        add("reference", problem.reference->file.text.empty() ? "a function in the same file"
                                                              : problem.reference->file.text);
}

/// The kernel without its front matter, whose content has been printed already.
std::string_view body_of(std::string_view source) {
    constexpr std::string_view kEnd = "+++*/";
    const std::size_t end = source.find(kEnd);
    return end == std::string_view::npos ? source : trim(source.substr(end + kEnd.size()));
}

struct DevicesOptions {
    OutputOptions outputs;
    JudgeOptions judge;
    bool clinfo = false;

    void add(CLI::App& verb) {
        outputs.add_json(verb);
        verb.add_flag("--clinfo", clinfo,
                      "for bug reports: print the versions of the workbench and the system, and all that the "
                      "OpenCL drivers report, by the program clinfo");
        judge.add(verb);
    }
};

/// @return  if the program cannot be started
int show_all_properties(const DevicesOptions& options) {
    if (!options.judge.on.empty() || options.outputs.file("--json"))
        throw BadInput("--clinfo works alone, and only with the devices of this machine");
    const std::string program = find_in_path("clinfo");
    if (program.empty())
        throw EnvironmentError(
            "clinfo is not in PATH; it lists what OpenCL drivers report: apt-get install clinfo");
    utsname system{};
    ::uname(&system);
    print(fmt::format("{}\n{} {} {}\n\n", version_text(), system.sysname, system.release, system.machine));
    ::execl(program.c_str(), "clinfo", nullptr);
    throw EnvironmentError(program + " does not start: " + std::strerror(errno));
}

int list_devices(const DevicesOptions& options, const Folders&) {
    if (options.clinfo) return show_all_properties(options);
    options.outputs.require_writable();
    const DeviceList list = Conversation(options.judge).list_devices();
    OutputWriter writer(options.outputs);
    writer.show(devices_text(list, table_options()));
    writer.write("--json", [&] { return devices_to_json(list); });
    writer.finish();
    return list.devices.empty() ? kExitEnvironment : kExitGood;
}

struct KernelsOptions {
    OutputOptions outputs;

    void add(CLI::App& verb) { outputs.add_json(verb); }
};

int list_kernels(const KernelsOptions& options, const Folders& folders) {
    options.outputs.require_writable();
    const Catalogue catalogue = open_catalogue(folders);
    std::vector<KernelSpec> specs;
    for (const CatalogueEntry& entry : catalogue.entries()) {
        if (!entry.kernel) continue;
        refuse_outputs_over(options.outputs, *entry.kernel);
        specs.push_back(entry.kernel->spec);
    }
    OutputWriter writer(options.outputs);
    writer.show(catalogue_text(catalogue, table_options()));
    writer.write("--json", [&] { return kernels_to_json(specs); });
    writer.finish();
    const std::size_t broken = catalogue.entries().size() - specs.size();
    if (broken == 0) return kExitGood;
    const bool is_shown = !options.outputs.data_on_stdout();
    for (const CatalogueEntry& entry : catalogue.entries())
        if (!entry.kernel && !is_shown) print_error("kwb: " + entry.error + "\n");
    print_error(fmt::format("kwb: {} of {} kernel files {} broken{}\n", broken, catalogue.entries().size(),
                            broken == 1 ? "is" : "are", is_shown ? "; the list shows where" : ""));
    return kExitBadInput;
}

struct ShowOptions {
    std::vector<std::string> kernels;  ///< one; as a list, a second one gets a better message
    OwnOptions own;
    KernelChoices choices;
    bool explain = false;

    void add(CLI::App& verb) {
        verb.add_option("KERNEL", kernels, kKernelHelp)->required()->expected(1);
        add_own_options(verb, own, choices);
        add_explain(verb, explain);
    }
};

int show_kernel(const ShowOptions& options, const Folders& folders) {
    if (options.kernels.front() == kHostBlasName) {
        print(
            "cpu:blas is not a kernel file but the CPU's BLAS library (OpenBLAS), which the judge runs "
            "alongside\n"
            "the kernels: 'kwb run matmul/naive cpu:blas' compares a kernel with it.\n");
        return kExitGood;
    }
    Notes notes;
    const KernelFile kernel =
        complete_kernel(open_catalogue(folders).open(options.kernels.front()), options.own, notes);
    const KernelSpec& spec = kernel.spec;
    std::string text = printable_line(spec.name) + "\n";
    const auto add = [&](const char* label, const std::string& value) {
        if (!value.empty()) text += fmt::format("  {:<10}{}\n", label, printable_line(value));
    };
    add("idea", spec.title);
    add("problem", spec.problem);
    if (kernel.own_problem) describe_problem(kernel.own_problem->spec(), add);
    add("source", spec.source);
    add("file", spec.file);
    add("runs", trust_of(spec.file, shipped_kernels()) == Trust::Shipped
                    ? "in one process with other shipped kernels"
                    : "in a separate process with its own compiler cache; --foreign judges it strictly");
    // As in a run, a chosen work-group size may determine parameters; one that does not fit is rejected.
    const auto plan = options.own.local.empty() ? std::nullopt : resolve_anywhere(kernel, options.choices);
    for (const auto& [name, values] : spec.params) {
        const ParamValue* chosen = plan ? find_named(plan->params, name) : nullptr;
        const bool is_asked_for = chosen != nullptr && !(*chosen == values.front());
        add("parameter", name + " = " + describe_values(values) +
                             (is_asked_for        ? "  (" + to_string(*chosen) + " for this work-group)"
                              : values.size() > 1 ? "  (the first is the default)"
                                                  : ""));
    }
    const fs::path story = fs::path(spec.file).parent_path() / "README.md";
    std::error_code missing;
    if (fs::is_regular_file(story, missing)) add("README", story.string());
    for (const LaunchSpec& launch : spec.launches) add_launch(launch, options.choices, add);
    if (spec.launches.empty())
        add("launch",
            "the file does not declare it; add --problem to see what kwb would infer, and save that with '" +
                advise_adoption(kernel) + "'");
    for (const auto& [name, value] : spec.defines) add("macro", name + " = " + value.text);
    for (const auto& [name, requirement] : spec.require) add("requires", name + ": " + requirement.text);
    for (const ExpectSpec& expect : spec.expect) {
        std::vector<std::string> verdicts;
        for (const Verdict verdict : expect.verdicts) verdicts.push_back(to_string(verdict));
        const char* mode = expect.mode == ExpectSpec::Mode::Run     ? " in a run"
                           : expect.mode == ExpectSpec::Mode::Check ? " in a check"
                                                                    : "";
        add("expected", enumerate(verdicts, "or") + mode +
                            (expect.when ? " where " + expect.when->text : "") +
                            (expect.why.empty() ? ""
                             : options.explain  ? ": " + expect.why
                                                : "; --explain shows why"));
    }
    text += "\n" + printable(body_of(spec.source_text)) + "\n";
    print(text);
    return kExitGood;
}

}  // namespace

Verb add_devices(CLI::App& kwb) {
    return add_verb<DevicesOptions>(kwb, {"devices", "list OpenCL devices with their limits"}, list_devices);
}

Verb add_kernels(CLI::App& kwb) {
    return add_verb<KernelsOptions>(kwb, {"kernels", "list the kernels that come with the workbench"},
                                    list_kernels);
}

Verb add_show(CLI::App& kwb) {
    return add_verb<ShowOptions>(kwb, {"show", "show a kernel: its idea, parameters, launch and source"},
                                 show_kernel);
}

}  // namespace kwb::cli
