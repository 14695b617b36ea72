// SPDX-License-Identifier: Apache-2.0
// What a program did with OpenCL, as its processes recorded it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kwb::capture {

/// A call of the program.
struct CallPlace {
    std::string file;  ///< of its source; empty: without debug information
    std::uint32_t line = 0;
    std::string function;  ///< empty: unknown
    std::string module;    ///< the program or library that contains the call

    /// "main.c:80", "run in libfoo.so", "libfoo.so"; empty: unknown
    std::string describe() const;
};

struct LaunchShape {
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;  ///< empty: the driver chose
    std::uint64_t launches = 0;
    double total_ms = 0;
    std::optional<double> median_ms;
};

/// All launches of one kernel function on one device.
struct ProfiledKernel {
    std::string name;
    std::uint32_t device = 0;  ///< index
    std::uint64_t launches = 0;
    std::uint64_t timed = 0;  ///< those whose times are known
    double total_ms = 0;
    std::optional<double> median_ms, least_ms, most_ms;
    bool is_sampled = false;          ///< the median is of a sample
    double share = 0;                 ///< of the time of all kernels
    std::vector<LaunchShape> shapes;  ///< the longest first
    CallPlace place;                  ///< of the first launch
};

struct ProfiledTransfers {
    std::string kind;  ///< "read", "write", "copy", "fill", "map", "unmap", "migrate"
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    double total_ms = 0;
    std::optional<double> gb_per_s;
};

struct ProfiledBuild {
    std::string call, options;
    std::int32_t code = 0;
    std::string code_name;
    double ms = 0;
    bool is_background = false;  ///< it went on after the call, so that `ms` is not all of its time
    CallPlace place;
};

struct ProfiledError {
    std::string call;
    std::int32_t code = 0;
    std::string code_name, words, detail;
    std::uint64_t count = 0;
    bool is_unseen = false;  ///< the program did not ask for the code
    std::string next;        ///< the call that went on with the same object; empty: none did
    CallPlace place, next_place;
};

struct ProfiledFault {
    std::string code, words;
    std::uint64_t count = 0;
    CallPlace place;
};

struct Unreleased {
    std::string kind;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    CallPlace place;
};

struct ProfiledDevice {
    std::string name;
    std::uint64_t commands = 0;
    double span_ms = 0;  ///< from the first start to the last end
    double busy_ms = 0;
    std::uint64_t host_gaps = 0;  ///< it had nothing to do until the host enqueued the next command
    double host_gap_ms = 0;
    double longest_gap_ms = 0;
    std::string longest_gap_before;
};

struct ProfiledFunction {
    std::string name;
    std::uint64_t calls = 0;
    double host_ms = 0;
};

struct TraceEvent {
    std::string name;
    std::string kind;  ///< "kernel", "read" …; empty: a call of the host
    std::uint32_t device = 0, queue = 0, thread = 0;
    std::uint64_t host_ns = 0, host_duration_ns = 0;
    std::uint64_t queued_ns = 0, start_ns = 0, end_ns = 0;
    std::uint64_t bytes = 0;
};

/// One process.
struct Profile {
    std::string program;
    std::int64_t pid = 0;
    bool is_complete = false;  ///< its exit handlers ran
    std::optional<double> span_ms;
    std::uint64_t commands = 0;
    std::vector<ProfiledDevice> devices;
    std::vector<ProfiledKernel> kernels;  ///< the longest first
    std::vector<ProfiledTransfers> transfers;
    std::vector<ProfiledBuild> builds;
    std::vector<ProfiledError> errors;
    std::vector<ProfiledFault> faults;
    std::vector<Unreleased> unreleased;
    std::vector<ProfiledFunction> functions;
    std::uint64_t untimed = 0;            ///< commands whose times could not be read
    std::uint64_t unprofiled_queues = 0;  ///< queues that could not measure times
    std::uint64_t lost_rows = 0;          ///< kinds of launches, errors and so on for which there was no room
    std::uint64_t trace_stride = 1;       ///< every n-th event is in the trace
    std::uint64_t trace_seen = 0;
    std::vector<TraceEvent> trace;
};

/// What the processes of a program left behind.
struct ReadProfiles {
    std::vector<Profile> processes;
    std::vector<std::string> problems;  ///< sentences
};

/// @param folder  of the recordings, which are not trusted
ReadProfiles read_profiles(const std::filesystem::path& folder);

/// "CL_INVALID_VALUE"; "code -9998" if it is unknown.
std::string error_name(std::int32_t code);
/// A clause for the programmer; empty if the code is unknown.
std::string error_words(std::int32_t code);

/// What to add to a device's times to get the host's, by device: the median of how much later the host's call
/// began, because a command is queued during its call.
std::map<std::uint32_t, std::int64_t> clock_offsets(const Profile& profile);

std::string profile_to_json(const std::vector<Profile>& processes);

/// @throws ProtocolError  it is no profile of this format
std::vector<Profile> profile_from_json(const std::string& text);

/// JSON Schema of profile_to_json().
std::string profile_schema();

/// In the Trace Event Format, which Perfetto and chrome://tracing open.
/// Source: "Trace Event Format", Google, 2016.
std::string trace_to_json(const std::vector<Profile>& processes);

}  // namespace kwb::capture
