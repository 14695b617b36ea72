// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/kernel_file.hpp"
#include "catalog/resolve.hpp"
#include "experiment/check_names.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "model/argument_names.hpp"
#include "model/finding_words.hpp"
#include "model/kernel_spec.hpp"
#include "problems/problem.hpp"
#include "source/compiler.hpp"
#include "source/directives.hpp"
#include "source/kernels.hpp"

namespace kwb {
namespace fs = std::filesystem;

SourceKernel choose_entry(const KernelFile& file, const OwnOptions& options) {
    const Reading reading = read_source(source_text_of(file));
    const auto circle = reading.program && reading.program->faults.empty()
                            ? std::nullopt
                            : find_self_inclusion(file.spec.file, file.spec.source_text, file.includes);
    if (circle && !reading.program) throw BadInput(*circle);
    if (!reading.program)
        throw BadInput(
            fmt::format("{}: the source cannot be analysed here: {}; or write a front matter with [launch] "
                        "in its first comment",
                        file.spec.file, reading.failure));
    const std::vector<SourceKernel> found = kernel_functions_of(*reading.program);
    if (circle && found.empty()) throw BadInput(*circle);
    if (found.empty()) {
        const auto hidden = find_conditional_kernels(file.spec.source_text);
        if (hidden.empty())
            throw BadInput(file.spec.file +
                           ": no kernel function was found; the file needs a __kernel void name(…) {…} with "
                           "matching brackets");
        const std::vector<std::string>& macros = hidden.front().macros;
        throw BadInput(
            fmt::format("{}: its preprocessor conditions leave no kernel function: {}{}", file.spec.file,
                        describe(hidden.front()),
                        macros.empty() ? "" : "; -D " + macros.front() + "=1 defines " + macros.front()));
    }
    std::vector<std::string> names;
    for (const SourceKernel& kernel : found) names.push_back(kernel.name);
    if (!options.entry) {
        if (found.size() == 1) return found.front();
        throw BadInput(
            fmt::format("{}: has {} kernel functions, {}; choose one with --entry, e.g. --entry {}",
                        file.spec.file, found.size(), enumerate(names), names.front()));
    }
    for (const SourceKernel& kernel : found)
        if (kernel.name == *options.entry) return kernel;
    throw BadInput(fmt::format("--entry {}: {} has no such kernel function; it has {}.{}", *options.entry,
                               file.spec.file, enumerate(names), did_you_mean(*options.entry, names)));
}

namespace {

/// A device with practically no limits, to evaluate expressions before a real device is chosen.
DeviceInfo lenient_device() {
    DeviceInfo device;
    device.compute_units = 1;
    device.max_clock_mhz = 1000;
    device.max_work_group_size = UINT32_MAX;
    device.max_work_item_sizes = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    device.local_mem_bytes = 64u << 10;
    device.global_mem_bytes = 1u << 30;
    device.max_constant_bytes = 64u << 10;
    device.cache_line_bytes = 64;
    device.native_float_width = 1;
    return device;
}

class Completion {
public:
    Completion(KernelFile file, const OwnOptions& options, Notes& notes)
        : file_(std::move(file)), options_(options), notes_(notes) {}

    KernelFile complete() {
        take_problem();
        leave_other_entry();
        const bool had_launch = !file_.spec.launches.empty();
        if (had_launch && options_.empty()) return std::move(file_);
        add_build_options();
        add_defines();
        if (had_launch) {
            refuse_launch_options();
            return std::move(file_);
        }
        const Problem* problem = find_problem_of(file_);
        if (problem == nullptr) return std::move(file_);  // reported later, by common_problem()
        add_launch(*problem);
        file_.spec.begun.reset();
        add_init(*problem);
        const ProblemInstance usual = problem->at(problem->default_sizes());
        std::vector<std::string> known = usual.argument_names();
        for (const std::string& size : problem->size_names()) known.push_back(size);
        refuse_misunderstood_names(file_, known);
        resolve(file_, usual, lenient_device(), {});
        return std::move(file_);
    }

private:
    void take_problem() {
        if (!options_.problem) return;
        std::string& own = file_.spec.problem;
        std::shared_ptr<const DeclaredProblem> declared;
        if (names_problem_file(*options_.problem)) declared = open_problem(*options_.problem);
        if (!own.empty() && own != (declared ? declared->name() : *options_.problem))
            refuse_key(file_, "problem",
                       fmt::format("the file solves {}, but --problem is {}; leave out --problem, or change "
                                   "the problem here",
                                   own, *options_.problem));
        own = declared ? declared->name() : get_problem(*options_.problem).name();
        file_.own_problem = std::move(declared);  // not what the file declares under the same name
        // A submission must not change the problem to solve.
        if (file_.spec.type.empty()) return;
        const std::string asked = own;
        const std::string untyped(split_typed_name(asked).first);
        own = untyped;
        choose_type(file_);
        if (own != asked)
            refuse_key(file_, "type",
                       fmt::format(
                           "the type is {0}, but --problem is {1}; leave out type, or give --problem {2}:{0}",
                           file_.spec.type, asked, untyped));
    }

    void add_build_options() {
        std::string& all = file_.spec.build_options;
        if (!all.empty() && !options_.build_options.empty()) all += ' ';
        all += options_.build_options;
    }

    void add_defines() {
        std::vector<std::string> names;
        for (const auto& define : options_.defines) {
            const std::string option = fmt::format("-D {}={}", define.name, define.value);
            if (find_named(file_.spec.params, define.name) != nullptr)
                refuse_key(file_, "params." + define.name,
                           fmt::format("{} is a parameter; choose its value with --param {}={} instead of -D",
                                       define.name, define.name, define.value));
            if (const Written* written = find_named(file_.spec.defines, define.name)) {
                if (!written->option.empty())
                    throw BadInput(option + ": this macro is given twice; leave one of them out");
                refuse_key(file_, "defines." + define.name,
                           fmt::format("[defines] already sets {}; change it here, or leave out -D {}",
                                       define.name, define.name));
            }
            file_.spec.defines.push_back({define.name, macro_expression(define)});
            names.push_back(define.name);
        }
        check_guards(file_.spec.file, file_.spec.source_text, names);
        for (const auto& include : file_.includes)
            check_guards((fs::path(file_.spec.file).parent_path() / include.name).string(), include.value,
                         names);
    }

    static void check_guards(const std::string& file, const std::string& text,
                             const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            try {
                check_param_guards(file, text, {name});
            } catch (const BadInput& error) {
                throw BadInput(fmt::format("{}, or leave out -D {}", error.what(), name));
            }
        }
    }

    /// The launch of another kernel function does not apply to the one that --entry names.
    void leave_other_entry() {
        auto& launches = file_.spec.launches;
        if (!options_.entry || launches.size() != 1 || launches.front().kernel == *options_.entry) return;
        found_ = fmt::format("launches {}, but with --entry it", launches.front().kernel);
        launches.clear();
    }

    /// The options, completed by a partial launch.
    OwnOptions options_with(const LaunchSpec& begun) const {
        OwnOptions all = options_;
        const auto refuse_both = [&](const char* key, const char* option) {
            refuse_key(file_, fmt::format("launch.0.{}", key),
                       fmt::format("[launch] already sets this; change it here, or leave out {}", option));
        };
        if (!begun.kernel.empty()) {
            if (all.entry && all.entry != begun.kernel) refuse_both("kernel", "--entry");
            all.entry = begun.kernel;
        }
        if (!begun.global.empty()) {
            if (!all.global.empty()) refuse_both("global", "--global");
            for (const Written& extent : begun.global) all.global.push_back(extent.text);
        }
        if (begun.local) {
            if (!all.has_plain_local()) refuse_both("local", "--local");
            all.local.clear();
            for (const Written& extent : *begun.local) all.local.push_back(extent.text);
        }
        for (const auto& [name, value] : begun.args) {
            for (const std::string& piece : options_.args)
                if (piece.starts_with(name + "=")) refuse_both("args", "--args");
            all.args.push_back(name + "=" + value.text);
        }
        for (const auto& [name, elements] : begun.local_mem) {
            if (find_named(options_.local_mem, name) != nullptr) refuse_both("local_mem", "--local-arg");
            all.local_mem.push_back({name, elements.text});
        }
        return all;
    }

    void refuse_launch_options() const {
        const std::string option = options_.launch_option();
        if (option == "--local")
            throw BadInput(
                fmt::format("--local {}: {} declares its launch, so give plain numbers, as in --local 16x16, "
                            "or leave out --local",
                            join(options_.local, ","), file_.spec.name));
        if (!option.empty())
            refuse_key(
                file_, "launch",
                fmt::format("[launch] already declares how {} is launched; change it here, or leave out {}",
                            file_.spec.name, option));
    }

    /// Refuses names that are missing from the source, with their places, before they are treated as options.
    void check_begun(const LaunchSpec& begun) {
        if (!file_.spec.begun) return;
        file_.spec.launches = {begun};
        check_names(file_);
        file_.spec.launches.clear();
    }

    void add_launch(const Problem& problem) {
        LaunchSpec launch = file_.spec.begun.value_or(LaunchSpec{});
        if (file_.spec.begun) found_ = "declares only part of its launch, so it";
        if (!launch.kernel.empty()) check_begun(launch);
        const OwnOptions options = options_with(launch);
        const SourceKernel kernel = choose_entry(file_, options);
        launch.kernel = kernel.name;
        check_begun(launch);
        const ProblemInstance instance = problem.at(problem.default_sizes());
        const auto arguments = bind_arguments(file_.spec.file, kernel, instance, options);
        ChosenExtents extents = choose_extents(file_.spec.file, kernel, arguments, problem, options);
        if (!launch.global.empty()) extents.global_how = "[launch]";
        if (launch.local) extents.local_how = "[launch]";
        if (launch.global.empty()) launch.global = extents.global;
        if (!launch.local) launch.local = extents.local;
        for (const BoundArgument& argument : arguments)
            if ((!argument.value.option.empty() || argument.value.text != argument.parameter.name) &&
                find_named(launch.args, argument.parameter.name) == nullptr)
                launch.args.push_back({argument.parameter.name, argument.value});
        for (auto& sized : size_local_memory(file_.spec.file, kernel, options))
            if (find_named(launch.local_mem, sized.name) == nullptr)
                launch.local_mem.push_back(std::move(sized));
        note(kernel, arguments, extents, launch);
        file_.spec.launches.push_back(std::move(launch));
    }

    void add_init(const Problem& problem) {
        const ProblemInstance instance = problem.at(problem.default_sizes());
        std::vector<std::string> buffers, outputs;
        for (const BufferSpec& buffer : instance.buffers) {
            buffers.push_back(buffer.name);
            if (buffer.access != Access::Read) outputs.push_back(buffer.name);
        }
        for (const auto& [name, text] : options_.init) {
            const BufferSpec* const buffer = instance.find_buffer(name);
            if (buffer == nullptr)
                throw BadInput(fmt::format("--init {}={}: {} has no buffer '{}'; it has {}.{}", name, text,
                                           problem.name(), name, enumerate(buffers),
                                           did_you_mean(name, buffers)));
            if (buffer->access == Access::Read)
                throw BadInput(fmt::format("--init {}={}: {} is only read, but --init works for outputs: {}",
                                           name, text, name, enumerate(outputs)));
            InitSpec init{.to_input = text == "input"};
            if (!init.to_input) {
                std::size_t used = 0;
                try {
                    init.value = std::stod(text, &used);
                } catch (const std::exception&) {
                }
                if (used != text.size())
                    throw BadInput(
                        fmt::format("--init {}={}: give a number, or `input` for the buffer's initial "
                                    "content, e.g. --init {}=0",
                                    name, text, name));
            }
            file_.spec.init.push_back({name, init});
        }
    }

    void note(const SourceKernel& kernel, const std::vector<BoundArgument>& arguments,
              const ChosenExtents& extents, const LaunchSpec& launch) {
        notes_.push_back(fmt::format("{} {} is run as", file_.spec.name, found_));
        notes_.push_back(fmt::format("  kernel  {}", kernel.name));
        std::vector<std::string> bound;
        for (const BoundArgument& argument : arguments)
            bound.push_back(argument.parameter.name == argument.value.text
                                ? argument.parameter.name
                                : argument.parameter.name + " = " + argument.value.text +
                                      (argument.by_elimination ? " (nothing else is left)" : ""));
        for (const auto& [name, elements] : launch.local_mem)
            bound.push_back(fmt::format("{} = {} elements of local memory", name, elements.text));
        if (!bound.empty()) notes_.push_back("  args    " + join(bound, ", "));
        notes_.push_back(
            fmt::format("  global  {}   ({})", join_written(extents.global, ", "), extents.global_how));
        if (extents.local)
            notes_.push_back(
                fmt::format("  local   {}   ({})", join_written(*extents.local, ", "), extents.local_how));
        else
            notes_.push_back(fmt::format(
                "  local   chosen by the driver{}",
                kernel.uses_groups
                    ? ", although the kernel uses work-groups; if it depends on their size, give --local"
                    : ""));
    }

    KernelFile file_;
    const OwnOptions& options_;
    Notes& notes_;
    std::string found_ = "does not declare its launch, so it";
};

/// A driver that chooses the work-group of a function with reqd_work_group_size can only refuse.
void take_required_local(KernelFile& file, const std::vector<SourceKernel>& kernels) {
    for (LaunchSpec& launch : file.spec.launches) {
        const auto kernel = std::ranges::find(kernels, launch.kernel, &SourceKernel::name);
        if (launch.local || kernel == kernels.end() || !kernel->work_group) continue;
        launch.local.emplace();
        for (std::size_t d = 0; d < launch.global.size(); ++d)
            launch.local->push_back({std::to_string((*kernel->work_group)[d])});
    }
}

/// Check a file's declarations of its launch, and take the rest from the source.
void finish_declared(KernelFile& file) {
    const auto kernels = find_kernel_functions(source_text_of(file));
    check_names(file, kernels);
    if (kernels) take_required_local(file, *kernels);
}

}  // namespace

std::string explain_unread_sources() {
    return source::find_compiler() ? "" : source::explain_missing_compiler();
}

KernelFile complete_kernel(KernelFile file, const OwnOptions& options, Notes& notes) {
    const bool had_launch = !file.spec.launches.empty() || file.spec.begun;
    KernelFile complete = Completion(std::move(file), options, notes).complete();
    if (had_launch) finish_declared(complete);
    return complete;
}

std::optional<KernelPlan> resolve_anywhere(const KernelFile& file, const KernelChoices& choices) {
    const Problem* problem = find_problem_of(file);
    if (problem == nullptr || file.spec.launches.empty()) return std::nullopt;
    return resolve(file, problem->at(problem->default_sizes()), lenient_device(), choices);
}

void complete_kernels(std::vector<std::optional<KernelFile>>& contestants, const OwnOptions& options,
                      Notes& notes) {
    std::vector<KernelFile*> files;
    std::vector<std::string> bare;     // the names of those without a launch
    std::optional<KernelFile> others;  // the first that names a problem; cpu:blas solves several
    bool any_refused = false;          // the file that the options are meant for may be among them
    for (auto& contestant : contestants) {
        any_refused = any_refused || (contestant && contestant->refusal);
        if (!contestant || contestant->refusal) continue;
        files.push_back(&*contestant);
        if (contestant->spec.launches.empty()) bare.push_back(contestant->spec.name);
        if (!others && !contestant->spec.problem.empty()) others = *contestant;
    }
    const std::string option = options.launch_option();
    if (!option.empty() && bare.size() > 1)
        throw BadInput(
            fmt::format("{} applies to one file, but {} all lack a launch; adopt each of them first: {} …",
                        option, enumerate(bare), "kwb adopt " + quote_for_shell(bare.front())));
    if ((!option.empty() || !options.defines.empty()) && bare.empty() && files.size() != 1 && !any_refused)
        throw BadInput(
            fmt::format("{} works only for a file without a launch, but all files named here declare theirs; "
                        "change it in the file that you mean",
                        option.empty() ? "-D" : option));
    for (KernelFile* file : files) {
        const bool is_meant = bare.empty() || file->spec.launches.empty();
        OwnOptions own;
        if (is_meant) own = options;
        own.problem = options.problem;
        own.build_options = options.build_options;
        if (!own.problem && file->spec.problem.empty() && others) {
            if (others->own_problem) {
                file->own_problem = others->own_problem;
                file->spec.problem = others->spec.problem;
            } else {
                own.problem = others->spec.problem;
            }
        }
        Notes of_file;  // kept only if it is not refused afterwards
        try {
            if (own.empty() && !file->spec.launches.empty())
                finish_declared(*file);
            else
                *file = complete_kernel(*file, own, of_file);
            std::ranges::move(of_file, std::back_inserter(notes));
        } catch (const BadInput& error) {
            // One of several files is refused on its own, unless options describe it.
            if (contestants.size() == 1 || !own.launch_option().empty() || !own.defines.empty()) throw;
            *file = refused_kernel(file->spec.file, file->spec.name, error);
        }
    }
}

KernelFile open_bare_kernel(const fs::path& path) {
    KernelFile file;
    file.declared_in = path.string();
    file.spec.name = file.spec.file = path.string();
    file.spec.source_text = EditedTexts().read(path);
    if (trim(file.spec.source_text).empty())
        throw BadInput(path.string() + ": the file is empty; write a kernel into it ('kwb new' makes one)");
    if (extract_front_matter(path.string(), file.spec.source_text))
        throw BadInput(path.string() +
                       ": has a front matter, which declares how it is run; change that instead");
    file.includes = collect_includes(path, file.spec.source_text);
    return file;
}

std::string advise_adoption(const KernelFile& file, const std::string& problem) {
    return "kwb adopt " + quote_for_shell(file.spec.file) + " --problem " +
           (file.spec.problem.empty() ? problem : file.spec.problem);
}

namespace {

/// True if the names of a kernel's buffers match buffers of the problem, and each output has one.
bool buffers_fit(const SourceKernel& kernel, const ProblemInstance& instance) {
    std::vector<NamedArgument> buffers;
    for (const KernelParameter& parameter : kernel.parameters)
        if (parameter.is_buffer()) buffers.push_back(named_argument(parameter));
    const auto matches = match_arguments(buffers, instance, {}, spellings_of(instance));
    std::set<std::string> matched;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const BufferSpec* const buffer = matches[i] ? instance.find_buffer(matches[i]->name) : nullptr;
        if (buffer == nullptr || (buffers[i].type && buffers[i].type->scalar != buffer->type.scalar))
            return false;
        matched.insert(buffer->name);
    }
    return std::ranges::all_of(instance.buffers, [&](const BufferSpec& buffer) {
        return buffer.access == Access::Read || matched.contains(buffer.name);
    });
}

/// @return  nothing if the source cannot be read, or has several kernel functions
/// @throws BadInput  it has no kernel function
std::optional<std::vector<std::string>> problems_that_fit(const KernelFile& file) {
    const auto kernels = find_kernel_functions(source_text_of(file));
    if (kernels && kernels->empty()) (void)choose_entry(file, {});  // throws
    if (!kernels || kernels->size() != 1) return std::nullopt;
    std::vector<std::string> fitting;
    for (const Problem* problem : all_problems())
        if (buffers_fit(kernels->front(), problem->at(problem->default_sizes())))
            fitting.push_back(problem->name());
    return fitting;
}

}  // namespace

void refuse_without_problem(const KernelFile& file, const std::string& problem) {
    std::string example = problem;
    std::string others = fmt::format("'kwb kernels' shows some; {}", kOwnProblemAdvice);
    if (problem.empty()) {
        example = "matmul";
        const std::string begin = "kwb new --from " + quote_for_shell(file.spec.file);
        const auto fitting = problems_that_fit(file);
        if (fitting && fitting->empty() && file.places.empty())
            throw BadInput(fmt::format(
                "{}: does not name the problem that it solves, and its buffers fit no built-in problem; '{}' "
                "drafts a declaration of a new one (docs/own-problems.md), or give --problem and "
                "--args ('kwb run --help')",
                file.spec.file, begin));
        if (fitting && !fitting->empty()) {
            example = fitting->front();
            others = fmt::format(
                "its buffers fit {}; '{}' drafts the declaration of another (docs/own-problems.md)",
                enumerate(*fitting), begin);
        }
    }
    refuse_undeclared(file, fmt::format("does not name the problem that it solves ({})", others),
                      "problem = \"" + fs::path(example).filename().string() + "\"", example);
}

void refuse_undeclared(const KernelFile& file, const std::string& missing, const std::string& declaration,
                       const std::string& problem) {
    if (!file.places.empty())
        refuse_key(
            file, "problem",
            fmt::format("{}; add {} to {} ('kwb show matmul/naive' has an example)", missing, declaration,
                        file.declared_in == file.spec.file ? "the front matter" : "the side-car"));
    throw Refused({.code = FindingCode::Undeclared,
                   .subject = file.declared_in,
                   .texts = {{"missing", missing},
                             {"declaration", declaration},
                             {"command", advise_adoption(file, problem)}}});
}

}  // namespace kwb
