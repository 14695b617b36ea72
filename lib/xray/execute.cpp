// SPDX-License-Identifier: Apache-2.0
#include "xray/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/channel.hpp"
#include "source/compiler.hpp"
#include "xray/compile.hpp"
#include "xray/debug_info.hpp"
#include "xray/engine.hpp"
#include "xray/hooks.hpp"
#include "xray/pausable.hpp"

namespace kwb::xray {
namespace {

/// The strictest alignment of a value, that of double16.
constexpr std::size_t kValueRoom = 256;

/// But for the part of the recording that is asked for, and its time.
Json all_but_part(ObserveRequest request) {
    const XrayOptions any;
    request.xray.record_from = any.record_from;
    request.xray.record_item = any.record_item;
    request.xray.most_ms = any.most_ms;
    return to_json(request);
}

}  // namespace

/// A request in progress.
class Observation {
public:
    /// @param keeps_all  Recorder::keep_all()
    Observation(ObserveRequest request, Arena* arena, bool keeps_all)
        : request_(std::move(request)), arena_(arena), keeps_all_(keeps_all) {}
    ~Observation() {
        if (work_ && !work_->is_over()) {
            is_abandoned_ = true;
            go_on();
        }
        set_engine(nullptr);
    }
    Observation(const Observation&) = delete;
    Observation& operator=(const Observation&) = delete;

    void build() {
        const Stopwatch watch;
        Compiled compiled = compile(request_);
        report_.compile_ms = watch.ms();
        if (compiled.file.empty())
            throw std::runtime_error("the source does not compile for X-ray: " +
                                     with_own_path(split_lines(compiled.messages + "\n").front()));
        program_.emplace(compiled.file);
        debug_.emplace(compiled.file, program_->base(), program_->bytes());
        unset_ = std::move(compiled.unset);
    }

    void run() {
        make_buffers();
        make_variables();
        // A later part of a recording has been observed with the first one.
        if (request_.xray.aim != XrayAim::Run && request_.xray.record_from == 0) make_observers();
        prepare_buffers();
        engine_.emplace(memory_, *debug_, request_.xray, observers_);
        if (request_.xray.aim == XrayAim::Record && request_.xray.trace_group) {
            recorder_.emplace(*debug_, request_.xray);
            if (keeps_all_) recorder_->keep_all();
            engine_->set_recorder(*recorder_);
        }
        engine_->set_source(request_.file_name, split_lines(request_.source_text));
        if (const auto& stored = request_.xray.stored)
            for (std::uint32_t i = 0; i < request_.buffers.size(); ++i)
                if (request_.buffers[i].name == stored->buffer)
                    engine_->watch(memory_[i].begin + stored->element * memory_[i].element_bytes,
                                   memory_[i].element_bytes);
        if (recorder_ && request_.xray.record_from > 0) {
            work_.emplace([this] { run_launches(); });
            engine_->set_pause([this] {
                work_->pause();
                return !is_abandoned_;
            });
        }
        go_on();
        for (const Transfer& transfer : request_.download) {
            const Region& region = memory_[transfer.buffer];
            const auto place = arena_->range(transfer.offset, region.bytes);
            std::memcpy(place.data(), reinterpret_cast<const void*>(region.begin), region.bytes);
        }
    }

    /// After a part of the recording, it waits until it is asked for another one.
    bool is_waiting() const { return work_ && !work_->is_over(); }
    bool can_go_on_to(const ObserveRequest& request) const {
        return is_waiting() && recorder_->can_go_on_to(request.xray) &&
               all_but_part(request) == all_but_part(request_);
    }
    void go_on_to(const XrayOptions& what) {
        request_.xray = what;
        engine_->allow(what.most_ms);
        recorder_->go_on_to(what);
        go_on();
    }
    void take_back(Recording recorded) { recorder_->take_back(std::move(recorded)); }
    /// It must begin again, and keep all.
    bool has_lost() const { return recorder_ && recorder_->has_lost(); }

    void on_division_by_zero(const void* instruction) { engine_->on_division_by_zero(instruction); }
    bool in_kernel() const { return engine_ && engine_->in_item(); }
    Finding describe_crash(const std::string& signal) const { return engine_->describe_crash(signal); }
    /// The counts are those up to the crash.
    void end_crashed() {
        engine_->end_crashed();
        has_left_out_ = true;
    }

    XrayReport take_report() {
        XrayReport report = report_;
        report.sub_group = request_.xray.sub_group;
        if (engine_) {
            report.events = engine_->events();
            for (Finding& finding : engine_->take_undefined()) report.undefined.push_back(std::move(finding));
            for (Finding& finding : engine_->take_remarks()) report.remarks.push_back(std::move(finding));
            for (const std::uint32_t site : engine_->barrier_sites())
                report.barriers.push_back(engine_->site(site).place);
            add_unset_variables(report);
            if (request_.xray.stored) report.stores = engine_->stores();
        }
        for (const Region& region : memory_.regions()) {
            XrayBuffer& buffer = report.buffers.emplace_back();
            const bool is_asked = report.buffers.size() <= request_.buffers.size();
            const ObserveRequest::Buffer* asked =
                is_asked ? &request_.buffers[report.buffers.size() - 1] : nullptr;
            buffer.name = is_asked ? asked->name : region.name;
            buffer.space = region.space;
            buffer.type = region.type;
            buffer.element_bytes = region.element_bytes;
            buffer.is_argument = region.is_dynamic;
            buffer.extents = is_asked ? asked->extents : region.extents;
        }
        if (engine_)
            for (const auto& observer : observers_) observer->add_to(report, *engine_);
        if (has_left_out_)
            for (XrayBuffer& buffer : report.buffers) buffer.basis = CountBasis::Partial;
        return report;
    }

    /// nullopt: none was asked for, or the group has not run.
    std::optional<Recording> take_recording() {
        if (!recorder_ || !recorder_->has_recorded()) return std::nullopt;
        if (!is_waiting()) recorder_->end_group(*engine_);  // after a crash
        Recording recording = recorder_->take();
        recording.kernel = request_.launches[recording.launch].kernel;
        recording.stacks = engine_->stacks_begin();
        for (const Region& region : memory_.regions()) {
            const bool is_variable = debug_->holds(region.begin);
            const std::size_t number = recording.regions.size();
            recording.regions.push_back({.name = region.name,
                                         .function = region.function,
                                         .space = region.space,
                                         .type = region.value_type,
                                         .is_variable = is_variable,
                                         .address = region.begin,
                                         .bytes = region.bytes,
                                         .extents = number < request_.buffers.size()
                                                        ? request_.buffers[number].extents
                                                        : region.extents,
                                         .is_set = region.is_set});
        }
        return recording;
    }

private:
    void go_on() {
        set_engine(&*engine_);
        const Stopwatch watch;
        work_ ? static_cast<void>(work_->resume()) : run_launches();
        report_.run_ms = watch.ms();
        set_engine(nullptr);
    }

    /// A compiler's message, with the file's own name instead of its temporary path.
    std::string with_own_path(const std::string& message) const {
        const std::string folder = request_.folder + "/";
        const std::string own = folder + source::kMainName;
        if (message.starts_with(own)) return request_.file_name + message.substr(own.size());
        return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }

    /// Unset variables of the functions that were executed, unless their reads were observed.
    void add_unset_variables(XrayReport& report) {
        std::set<std::optional<std::size_t>> executed;
        for (const Site& site : engine_->sites()) executed.insert(debug_->function_of(site.pc));
        for (const Compiled::Unset& variable : unset_) {
            const auto function = debug_->function_of(variable.place);
            const bool is_observed = std::ranges::any_of(report.undefined, [&](const Finding& finding) {
                return finding.code == FindingCode::UnsetRead && finding.subject == variable.name;
            });
            if (function && executed.contains(function) && !is_observed)
                report.undefined.push_back({.code = FindingCode::UnsetVariable,
                                            .subject = variable.name,
                                            .place = engine_->name_of(variable.place)});
        }
    }

    void make_buffers() {
        for (const ObserveRequest::Buffer& buffer : request_.buffers) {
            Region region;
            region.name = buffer.name;
            region.type = to_string(buffer.type);
            region.element_bytes = buffer.type.bytes();
            region.bytes = buffer.elements() * region.element_bytes;
            region.number_bytes = scalar_bytes(buffer.type.scalar);
            region.granule_bytes = std::min<std::uint64_t>(region.number_bytes, 4);
            region.extents = {buffer.elements()};
            region.is_set = buffer.offset.has_value();
            memory_.add_buffer(std::move(region));
        }
    }

    /// `__local` variables and constants of the program.
    void make_variables() {
        for (const StaticVariable& variable : debug_->variables()) {
            Region region;
            region.name = variable.name;
            region.function = variable.function;
            region.type = variable.type.name;
            region.value_type = variable.type.whole;
            region.begin = debug_->base() + variable.offset;
            region.bytes = variable.type.bytes();
            region.element_bytes = variable.type.element_bytes;
            region.number_bytes = variable.type.number_bytes;
            region.granule_bytes = std::min<std::uint64_t>(region.number_bytes, 4);
            region.extents = variable.type.extents;
            // Variables whose alignment exceeds a margin have none.
            const auto placed =
                std::ranges::find(program_->variables(), region.begin, &ProgramVariable::begin);
            if (placed != program_->variables().end()) {
                region.margin_before = kMarginBefore;
                region.margin_after = placed->with_margin - placed->bytes;
            }
            const bool writable = program_->is_writable(region.begin);
            region.space = !writable                   ? AddressSpace::Constant
                           : variable.function.empty() ? AddressSpace::Global
                                                       : AddressSpace::Local;
            region.is_set = region.space != AddressSpace::Local;
            memory_.add_variable(std::move(region));
        }
    }

    void make_observers() {
        observers_.push_back(make_race_observer());
        observers_.push_back(make_unset_observer());
        if (request_.xray.keep_counts || request_.xray.keep_sites) {
            observers_.push_back(make_counts_observer(request_.xray.keep_counts));
            observers_.push_back(make_lines_observer());
        }
        if (request_.xray.trace_group && request_.xray.aim == XrayAim::Observe)
            observers_.push_back(make_trace_observer(request_.xray.trace_launch, *request_.xray.trace_group));
    }

    void prepare_buffers() {
        std::uint64_t arena_bytes = 0;
        const auto reach = [&](std::uint32_t buffer, std::uint64_t offset) {
            arena_bytes = std::max(arena_bytes, offset + memory_[buffer].bytes);
        };
        for (std::uint32_t i = 0; i < request_.buffers.size(); ++i)
            if (request_.buffers[i].offset) reach(i, *request_.buffers[i].offset);
        for (const Transfer& transfer : request_.download) reach(transfer.buffer, transfer.offset);
        if (arena_ != nullptr)
            arena_->require(arena_bytes);
        else if (arena_bytes > 0)
            throw std::runtime_error("shared memory for the buffers is missing");
        for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
            Region& region = memory_[static_cast<std::uint32_t>(i)];
            void* const place = reinterpret_cast<void*>(region.begin);
            if (const auto offset = request_.buffers[i].offset)
                std::memcpy(place, arena_->range(*offset, region.bytes).data(), region.bytes);
            else
                std::memset(place, kXrayFilling, region.bytes);
        }
        for (const BufferOperation& operation : request_.before_run) {
            Region& region = memory_[operation.buffer];
            auto* const place = reinterpret_cast<unsigned char*>(region.begin);
            if (operation.copy_from) {
                const Region& from = memory_[*operation.copy_from];
                std::memcpy(place, reinterpret_cast<const void*>(from.begin),
                            std::min(region.bytes, from.bytes));
            } else {
                const std::size_t n = operation.pattern.size();
                for (std::uint64_t at = 0; at < region.bytes; ++at) place[at] = operation.pattern[at % n];
            }
            region.is_set = true;
        }
    }

    static Geometry geometry_of(const Launch& launch, std::uint32_t sub_group) {
        Geometry geometry;
        if (launch.local.size() != launch.global.size() || launch.global.empty() || launch.global.size() > 3)
            throw std::runtime_error("X-ray needs the work-group size of each launch");
        geometry.dimensions = static_cast<std::uint32_t>(launch.global.size());
        std::uint64_t items = 1;
        for (std::size_t d = 0; d < launch.global.size(); ++d) {
            if (launch.local[d] == 0 || launch.global[d] % launch.local[d] != 0)
                throw std::runtime_error(
                    "X-ray does not support work-groups of different sizes in one launch");
            geometry.global[d] = launch.global[d];
            geometry.local[d] = launch.local[d];
            geometry.groups[d] = launch.global[d] / launch.local[d];
            items *= launch.local[d];
        }
        if (items > kMostXrayGroupItems)
            throw std::runtime_error(
                fmt::format("X-ray supports work-groups of at most {} work-items", kMostXrayGroupItems));
        geometry.items = static_cast<std::uint32_t>(items);
        geometry.sub_group = sub_group;
        return geometry;
    }

    void run_launches() {
        std::vector<std::uint32_t> renamed(request_.buffers.size());
        for (std::uint32_t i = 0; i < renamed.size(); ++i) renamed[i] = i;
        std::uint64_t left = 0;
        for (const Launch& launch : request_.launches) left += launch.repeat;
        for (std::size_t i = 0; i < request_.launches.size(); ++i) {
            const Launch& launch = request_.launches[i];
            const Geometry geometry = geometry_of(launch, request_.xray.sub_group);
            XrayLaunch& result = report_.launches.emplace_back();
            result.kernel = launch.kernel;
            result.global = launch.global;
            result.local = launch.local;
            result.groups = geometry.group_count();
            result.runs = launch.repeat;
            for (std::uint64_t turn = 0; turn < launch.repeat; ++turn, --left) {
                const bool has_all =
                    run_launch(static_cast<std::uint32_t>(i), launch, geometry, renamed, left);
                result.observed_groups =
                    request_.xray.aim == XrayAim::Run && has_all ? result.groups : engine_->observed_groups();
                // The time limit allowed only the first group.
                const bool is_first_alone = result.observed_groups == 1 && result.groups > 1;
                has_left_out_ = has_left_out_ || result.observed_groups == 0 || is_first_alone;
                if (launch.swap) std::swap(renamed.at(launch.swap->first), renamed.at(launch.swap->second));
                if (!has_all) return skip_after(i, left);
            }
        }
    }

    /// The results of groups that have not run are unknown, so later launches are skipped.
    void skip_after(std::size_t launch, std::uint64_t left) {
        if (left == 1) return;
        has_left_out_ = true;
        engine_->remark({.code = FindingCode::XrayNotObserved,
                         .texts = {{"sentence", "the launches after " + request_.launches[launch].kernel +
                                                    " were not observed at this size"}}});
    }

    /// @param left  remaining launches, including this one
    /// @return  true: all groups have run
    bool run_launch(std::uint32_t number, const Launch& launch, const Geometry& geometry,
                    const std::vector<std::uint32_t>& renamed, std::uint64_t left) {
        const auto function = std::ranges::find(request_.functions, launch.kernel, &FunctionInfo::name);
        const Program::Call call = program_->find_call(launch.kernel);
        if (function->arguments.size() != launch.arguments.size())
            throw std::runtime_error("the launch of " + launch.kernel + " has the wrong number of arguments");
        LazyBytes values(std::max<std::size_t>(launch.arguments.size(), 1) * kValueRoom);
        std::vector<std::uintptr_t> places;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            const std::string& name = function->arguments[i].name;
            if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i])) {
                Region& region = memory_[renamed.at(buffer->buffer)];
                region.name = name;
                if (const TypeInfo* const type = debug_->pointee(launch.kernel, name)) {
                    region.number_bytes = type->number_bytes;
                    region.value_type = type->whole;
                }
                places.push_back(region.begin);
            } else if (const auto* local = std::get_if<LocalArgument>(&launch.arguments[i])) {
                places.push_back(memory_[local_buffer(number, i, launch.kernel, name, local->bytes)].begin);
            } else if (const auto* value = std::get_if<ValueArgument>(&launch.arguments[i])) {
                if (value->bytes.size() > kValueRoom)
                    throw std::runtime_error("the value of " + name + " is too large");
                std::byte* const place = values.data() + i * kValueRoom;
                std::memcpy(place, value->bytes.data(), value->bytes.size());
                const bool is_null = value->bytes.empty() && !function->arguments[i].is_value();
                places.push_back(is_null ? 0 : reinterpret_cast<std::uintptr_t>(place));
            } else {
                throw std::runtime_error("X-ray does not support images and samplers");
            }
        }
        const Engine::Entry entry = [&] { call(places.data()); };
        // Counts cover all launches; findings come only from observed launches.
        if (!request_.xray.keep_counts && request_.xray.aim == XrayAim::Observe) left = 1;
        if (request_.xray.aim == XrayAim::Run)
            return engine_->run_unobserved(number, launch.kernel, geometry, entry);
        if (engine_->run(number, launch.kernel, geometry, entry, left)) return true;
        // What follows a recorded group does not matter.
        return left > 1 && !(recorder_ && recorder_->has_recorded()) && engine_->run_rest(entry);
    }

    std::uint32_t local_buffer(std::uint32_t launch, std::size_t argument, const std::string& kernel,
                               const std::string& name, std::uint64_t bytes) {
        const auto key = std::pair(launch, argument);
        if (const auto found = locals_.find(key); found != locals_.end()) return found->second;
        const TypeInfo* const type = debug_->pointee(kernel, name);
        Region region;
        region.name = name;
        region.type = type != nullptr ? type->name : "";
        region.space = AddressSpace::Local;
        region.bytes = bytes;
        region.value_type = type != nullptr ? type->whole : kUnknownType;
        region.element_bytes = type != nullptr ? type->element_bytes : 1;
        region.number_bytes = type != nullptr ? type->number_bytes : 1;
        region.granule_bytes = std::min<std::uint64_t>(region.number_bytes, 4);
        region.extents = {region.elements()};
        region.is_dynamic = true;
        return locals_[key] = memory_.add_buffer(std::move(region));
    }

    static constexpr std::uint64_t kMarginBefore = 32;

    ObserveRequest request_;
    Arena* arena_;
    bool keeps_all_;
    std::optional<Program> program_;
    std::optional<DebugInfo> debug_;
    Memory memory_;
    std::vector<std::unique_ptr<Observer>> observers_;
    std::optional<Engine> engine_;
    std::optional<Recorder> recorder_;
    std::optional<Pausable> work_;  ///< run_launches(), if it may wait
    bool is_abandoned_ = false;     ///< it must not go on
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> locals_;
    std::vector<Compiled::Unset> unset_;
    bool has_left_out_ = false;  ///< some launches, or the end of one, were skipped
    XrayReport report_;
};

namespace {

/// For the signal handler.
Observation* current = nullptr;

/// While its kernel may run.
struct WhileCurrent {
    explicit WhileCurrent(Observation& observation) { current = &observation; }
    WhileCurrent(const WhileCurrent&) = delete;
    WhileCurrent& operator=(const WhileCurrent&) = delete;
    ~WhileCurrent() { current = nullptr; }
};

void require_valid(const ObserveRequest& request) {
    const auto is_buffer = [&](std::uint64_t number) { return number < request.buffers.size(); };
    for (const BufferOperation& operation : request.before_run)
        if (!is_buffer(operation.buffer) || (operation.copy_from && !is_buffer(*operation.copy_from)))
            throw std::runtime_error("no buffer has that number");
    for (const Transfer& transfer : request.download)
        if (!is_buffer(transfer.buffer)) throw std::runtime_error("no buffer has that number");
    for (const Launch& launch : request.launches)
        for (const Argument& argument : launch.arguments)
            if (const auto* buffer = std::get_if<BufferArgument>(&argument);
                buffer && !is_buffer(buffer->buffer))
                throw std::runtime_error("no buffer has that number");
}

}  // namespace

Executor::Executor(Arena* arena) : arena_(arena) {}

Executor::~Executor() = default;

ObservedReply Executor::observe(const ObserveRequest& request,
                                const std::function<void(const char*)>& enter) {
    require_valid(request);
    std::unique_ptr<Observation> observation = std::move(waiting_);
    if (observation && observation->can_go_on_to(request)) {
        enter(kLaunchStage);
        const WhileCurrent now(*observation);
        observation->go_on_to(request.xray);
    } else {
        for (const bool keeps_all : {false, true}) {
            observation.reset();  // first: both would use the same program
            observation = std::make_unique<Observation>(request, arena_, keeps_all);
            enter(kCompileStage);
            observation->build();
            enter(kLaunchStage);
            {
                const WhileCurrent now(*observation);
                observation->run();
            }
            if (!observation->has_lost()) break;
        }
    }
    ObservedReply reply{observation->take_report(), observation->take_recording()};
    if (observation->is_waiting()) waiting_ = std::move(observation);
    return reply;
}

void Executor::take_back(ObservedReply reply) {
    if (waiting_ && reply.recording) waiting_->take_back(std::move(*reply.recording));
}

std::optional<ObservedReply> observed_until_crash(const std::string& signal, const void* division) {
    Observation* const crashed = std::exchange(current, nullptr);
    if (crashed == nullptr || !crashed->in_kernel()) return std::nullopt;
    if (division != nullptr) crashed->on_division_by_zero(division);
    Finding crash = crashed->describe_crash(signal);
    crashed->end_crashed();
    ObservedReply reply{crashed->take_report(), crashed->take_recording()};
    reply.report.remarks.push_back(std::move(crash));
    return reply;
}

}  // namespace kwb::xray
