// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "capture/call_places.hpp"
#include "capture/recording.hpp"

namespace kwb::capture {
namespace {

constexpr double kNsPerMs = 1e6;

/// A time with how many launches it stands for.
using Weighted = std::pair<double, double>;

std::optional<double> weighted_median(std::vector<Weighted> samples) {
    if (samples.empty()) return std::nullopt;
    std::ranges::sort(samples);
    double all = 0;
    for (const auto& [value, weight] : samples) all += weight;
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        sum += samples[i].second;
        if (sum * 2 == all && i + 1 < samples.size()) return (samples[i].first + samples[i + 1].first) / 2;
        if (sum * 2 > all) return samples[i].first;
    }
    return samples.back().first;
}

class RecordingReader {
public:
    explicit RecordingReader(const Recording& recording) : recording_(recording) {}

    Profile read() {
        profile_.program = text(recording_.program);
        profile_.pid = recording_.pid;
        profile_.is_complete = recording_.end_ns != 0;
        if (recording_.end_ns > recording_.begin_ns)
            profile_.span_ms = ms(recording_.end_ns - recording_.begin_ns);
        profile_.commands = recording_.enqueued;
        profile_.untimed = recording_.untimed;
        profile_.unprofiled_queues = recording_.unprofiled;
        profile_.lost_rows = recording_.lost_kernels + recording_.lost_builds + recording_.lost_errors +
                             recording_.lost_faults;
        read_devices();
        read_kernels();
        read_transfers();
        read_builds();
        read_errors();
        read_faults();
        read_objects();
        read_functions();
        read_trace();
        return std::move(profile_);
    }

private:
    static double ms(std::uint64_t ns) { return static_cast<double>(ns) / kNsPerMs; }

    std::string text(TextAt at) const {
        if (at >= kMostTextBytes) return "";
        const char* const begin = recording_.texts + at;
        const auto* const end = static_cast<const char*>(std::memchr(begin, 0, kMostTextBytes - at));
        return end == nullptr ? "" : printable_line(std::string(begin, end));
    }

    CallPlace place(const RecordedPlace& recorded) {
        std::vector<CodeAddress> frames;
        for (std::uint32_t i = 0; i < std::min(recorded.count, kMostFrames); ++i)
            frames.push_back({text(recorded.modules[i]), recorded.offsets[i]});
        return places_.find(frames);
    }

    void read_devices() {
        for (std::uint32_t i = 0; i < std::min(recording_.devices, kMostDevices); ++i) {
            const DeviceRow& row = recording_.device_rows[i];
            profile_.devices.push_back(
                {text(row.name), row.commands,
                 row.last_end_ns > row.first_start_ns ? ms(row.last_end_ns - row.first_start_ns) : 0,
                 ms(row.busy_ns), row.host_gaps, ms(row.host_gap_ns), ms(row.longest_gap_ns),
                 text(row.longest_gap_before)});
        }
        if (profile_.devices.empty()) profile_.devices.emplace_back();
    }

    static LaunchShape shape_of(const KernelRow& row) {
        LaunchShape shape;
        const std::uint32_t dimensions = std::min<std::uint32_t>(row.dimensions, 3);
        shape.global.assign(row.global, row.global + dimensions);
        if (row.has_local != 0) shape.local.assign(row.local, row.local + dimensions);
        shape.launches = row.launches;
        shape.total_ms = ms(row.total_ns);
        shape.median_ms = weighted_median(samples_of(row));
        return shape;
    }

    static std::vector<Weighted> samples_of(const KernelRow& row) {
        const std::uint64_t kept = std::min<std::uint64_t>(row.timed, kMostSamples);
        std::vector<Weighted> samples;
        for (std::uint64_t i = 0; i < kept; ++i)
            samples.emplace_back(static_cast<double>(row.samples_ns[i]) / kNsPerMs,
                                 static_cast<double>(row.timed) / static_cast<double>(kept));
        return samples;
    }

    void read_kernels() {
        std::map<std::pair<std::string, std::uint32_t>, std::vector<const KernelRow*>> rows;
        for (std::uint32_t i = 0; i < std::min(recording_.kernels, kMostKernels); ++i) {
            const KernelRow& row = recording_.kernel_rows[i];
            if (row.launches > 0)
                rows[{text(row.name),
                      std::min<std::uint32_t>(row.device, std::uint32_t(profile_.devices.size() - 1))}]
                    .push_back(&row);
        }
        double all_ms = 0;
        for (const auto& [key, of_kernel] : rows) {
            ProfiledKernel kernel;
            kernel.name = key.first;
            kernel.device = key.second;
            std::vector<Weighted> samples;
            for (const KernelRow* row : of_kernel) {
                kernel.launches += row->launches;
                kernel.timed += row->timed;
                kernel.total_ms += ms(row->total_ns);
                kernel.is_sampled = kernel.is_sampled || row->timed > kMostSamples;
                if (row->timed > 0) {
                    kernel.least_ms =
                        std::min(kernel.least_ms.value_or(ms(row->least_ns)), ms(row->least_ns));
                    kernel.most_ms = std::max(kernel.most_ms.value_or(0), ms(row->most_ns));
                }
                std::ranges::copy(samples_of(*row), std::back_inserter(samples));
                kernel.shapes.push_back(shape_of(*row));
            }
            kernel.median_ms = weighted_median(std::move(samples));
            std::ranges::stable_sort(kernel.shapes, std::greater(), &LaunchShape::total_ms);
            kernel.place = place(of_kernel.front()->place);
            all_ms += kernel.total_ms;
            profile_.kernels.push_back(std::move(kernel));
        }
        for (ProfiledKernel& kernel : profile_.kernels)
            kernel.share = all_ms > 0 ? kernel.total_ms / all_ms : 0;
        std::ranges::stable_sort(profile_.kernels, std::greater(), &ProfiledKernel::total_ms);
    }

    static constexpr const char* kKindNames[kCommandKinds] = {"",     "kernel", "read",  "write",  "copy",
                                                              "fill", "map",    "unmap", "migrate"};

    void read_transfers() {
        for (std::uint32_t kind = 2; kind < kCommandKinds; ++kind) {
            const TransferRow& row = recording_.transfers[kind];
            if (row.count == 0) continue;
            ProfiledTransfers transfers{kKindNames[kind], row.count, row.bytes, ms(row.total_ns), {}};
            // A map copies nothing where device and host share memory.
            if (row.total_ns > 0 && row.timed_bytes > 0 && CommandKind(kind) != CommandKind::Map)
                transfers.gb_per_s = static_cast<double>(row.timed_bytes) / static_cast<double>(row.total_ns);
            profile_.transfers.push_back(std::move(transfers));
        }
    }

    void read_builds() {
        for (std::uint32_t i = 0; i < std::min(recording_.builds, kMostBuilds); ++i) {
            const BuildRow& row = recording_.build_rows[i];
            profile_.builds.push_back({text(row.function), text(row.options), row.code, error_name(row.code),
                                       ms(row.host_ns), row.is_background != 0, place(row.place)});
        }
    }

    void read_errors() {
        for (std::uint32_t i = 0; i < std::min(recording_.errors, kMostErrors); ++i) {
            const ErrorRow& row = recording_.error_rows[i];
            profile_.errors.push_back({text(row.function), row.code, error_name(row.code),
                                       error_words(row.code), text(row.detail), row.count, row.is_unseen != 0,
                                       text(row.next), place(row.place),
                                       row.next != 0 ? place(row.next_place) : CallPlace{}});
        }
    }

    void read_faults() {
        for (std::uint32_t i = 0; i < std::min(recording_.faults, kMostFaults); ++i) {
            const FaultRow& row = recording_.fault_rows[i];
            profile_.faults.push_back({text(row.code), text(row.detail), row.count, place(row.place)});
        }
        // Those that the program has never waited for.
        std::map<std::string, ProfiledFault> open;
        for (const OpenReadRow& row : recording_.open_reads) {
            if (row.number == 0) continue;
            ProfiledFault fault{
                "read_not_awaited",
                "a read was enqueued that does not block, and the program never waited for it", 0,
                place(row.place)};
            ++open.emplace(fault.place.describe(), fault).first->second.count;
        }
        for (auto& [where, fault] : open) profile_.faults.push_back(std::move(fault));
    }

    void read_objects() {
        std::map<std::pair<std::string, std::string>, Unreleased> rows;
        std::map<std::string, std::uint64_t> named;
        for (const ObjectRow& row : recording_.object_rows) {
            if (row.handle == 0) continue;
            const std::string kind = text(row.kind);
            const CallPlace where = place(row.place);
            Unreleased& into = rows[{kind, where.describe()}];
            into.kind = kind;
            into.place = where;
            ++into.count;
            into.bytes += row.bytes;
            ++named[kind];
        }
        for (auto& [key, row] : rows) profile_.unreleased.push_back(std::move(row));
        for (const ObjectCount& count : recording_.object_counts) {
            const std::string kind = text(count.kind);
            const std::uint64_t alive = count.created > count.released ? count.created - count.released : 0;
            if (!kind.empty() && alive > named[kind])
                profile_.unreleased.push_back({kind, alive - named[kind], 0, {}});
        }
        std::ranges::stable_sort(profile_.unreleased, std::greater(), &Unreleased::bytes);
    }

    void read_functions() {
        for (std::uint32_t i = 0; i < kMostFunctions; ++i)
            if (const FunctionRow& row = recording_.functions[i]; row.calls > 0)
                profile_.functions.push_back(
                    {text(recording_.function_names[i]), row.calls, ms(row.host_ns)});
        std::ranges::stable_sort(profile_.functions, std::greater(), &ProfiledFunction::host_ms);
    }

    void read_trace() {
        profile_.trace_stride = std::max<std::uint64_t>(recording_.trace_stride, 1);
        profile_.trace_seen = recording_.trace_seen;
        for (std::uint32_t i = 0; i < std::min(recording_.traced, kMostTraced); ++i) {
            const TracedEvent& event = recording_.trace[i];
            const std::uint32_t kind = std::min<std::uint32_t>(event.kind, kCommandKinds - 1);
            profile_.trace.push_back({text(event.name), kKindNames[kind], event.device, event.queue,
                                      event.thread, event.host_ns, event.host_duration_ns, event.queued_ns,
                                      event.start_ns, event.end_ns, event.bytes});
        }
    }

    const Recording& recording_;
    Profile profile_;
    CallPlaces places_;
};

/// "31846.failed-28" → the sentence
std::string failure_of(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    const std::size_t at = name.find(".failed-");
    int error = 0;
    for (const char c : name.substr(at + 8))
        if (c >= '0' && c <= '9' && error < 1000) error = 10 * error + (c - '0');
    return fmt::format(
        "process {} could not be recorded in {}: {}; make room there, or set TMPDIR to another folder",
        printable_line(name.substr(0, at)), file.parent_path().string(), std::strerror(error));
}

}  // namespace

ReadProfiles read_profiles(const std::filesystem::path& folder) {
    ReadProfiles found;
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        if (file.filename().string().find(".failed-") != std::string::npos) {
            found.problems.push_back(failure_of(file));
            continue;
        }
        if (file.extension() != kRecordingSuffix) continue;
        const std::string bytes = read_file(file, sizeof(Recording));
        const auto recording = std::make_unique<Recording>();
        if (bytes.size() == sizeof(Recording)) std::memcpy(recording.get(), bytes.data(), bytes.size());
        if (recording->bytes != sizeof(Recording) ||
            std::memcmp(recording->magic, kRecordingMagic, sizeof kRecordingMagic) != 0) {
            found.problems.push_back(file.filename().string() +
                                     " is no recording of this version; build and install kwb and "
                                     "libkwb_capture.so together");
            continue;
        }
        found.processes.push_back(RecordingReader(*recording).read());
    }
    return found;
}

}  // namespace kwb::capture
