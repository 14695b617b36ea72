// What judge and runner say to each other.
//
// The judge asks, the runner answers each request with one reply ("done" kinds below) or with `failed`;
// before a dangerous step it says which `stage` it enters. Bulk data lies in the shared Arena, which the
// judge lays out. The judge trusts nothing of it: readers throw ProtocolError.
//
//   judge → runner   confine · devices · open · build · buffers · upload · execute
//   runner → judge   hello · stage · fault · confined · devices · opened · built · allocated · uploaded ·
//   executed ·
//                    failed
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/named.hpp"
#include "model/device_info.hpp"
#include "model/kernel_parameter.hpp"
#include "model/result.hpp"
#include "model/sandbox.hpp"
#include "model/turn.hpp"

namespace kwb {

/// Give up everything that `policy` does not name, for ever. The first request, before a driver is loaded; a
/// second one is refused. Reply: ConfinedReply.
struct ConfineRequest {
    static constexpr const char* kType = "confine";
    SandboxPolicy policy;
};
struct ConfinedReply {
    static constexpr const char* kType = "confined";
    SandboxReport report;
};

/// List every device of the platforms that this runner's loader sees. Reply: DeviceList, where an id is
/// "<platform>:<number>" within this runner.
struct DevicesRequest {
    static constexpr const char* kType = "devices";
    std::string library = {};  ///< of the only driver, as its file names it; empty: whatever the loader finds
};

/// Use the device at `index` of that list from now on: a context and a profiling queue. Reply: OpenedReply.
struct OpenRequest {
    static constexpr const char* kType = "open";
    std::uint32_t index = 0;
};
struct OpenedReply {
    static constexpr const char* kType = "opened";
};

/// Compile and link. Enters stage "compile". A program with this number is replaced. Reply: BuiltReply.
struct BuildRequest {
    static constexpr const char* kType = "build";
    std::uint32_t program = 0;
    std::string file_name;  ///< how compiler messages should call the source
    std::string source_text;
    NamedList<std::string> includes;  ///< neighbours: name as included → text
    std::string options;              ///< complete but for what the runner adds itself
};

struct FunctionInfo {
    std::string name;
    std::vector<KernelParameter> arguments;
    KernelInfo info;
    std::vector<std::uint64_t> required_local;  ///< reqd_work_group_size; empty if not given
};

struct BuiltReply {
    static constexpr const char* kType = "built";
    bool accepted = false;  ///< false: rejected source, `log` says why
    std::string log;
    double build_ms = 0;
    std::vector<FunctionInfo> functions;
};

/// Make device buffers, each front + payload + back bytes; one of the same id and shape stays, with its
/// content. All others not named are released. Reply: AllocatedReply.
struct BuffersRequest {
    static constexpr const char* kType = "buffers";
    struct Buffer {
        std::uint32_t id = 0;
        std::uint64_t front_bytes = 0;  ///< before the payload: a guard zone, or slack of the page
        std::uint64_t bytes = 0;        ///< payload, at least 1
        std::uint64_t back_bytes = 0;   ///< behind it

        friend bool operator==(const Buffer&, const Buffer&) = default;
    };
    std::vector<Buffer> buffers;
    /// False: memory of the driver's; `front_bytes` is a multiple of the device's base alignment.
    /// True, for devices that work in the host's memory: each allocation is whole pages (kPageBytes) between
    /// kUnreadableBytes of unreadable address space on either side, and an access there ends in a FaultNote.
    bool unreadable_pages = false;
    /// Map the page at kTraceAddress, where a traced build (see TraceRecord) notes which work-item is at
    /// work.
    bool trace = false;
};

/// What allocations between unreadable pages are multiples of.
inline constexpr std::uint64_t kPageBytes = 4096;
/// Far enough for an index that is off by 10⁹ floats; costs address space only.
inline constexpr std::uint64_t kUnreadableBytes = std::uint64_t{8} << 30;

/// Where a traced build writes: a fixed address, so that the source can name it.
inline constexpr std::uint64_t kTraceAddress = 0x5b0000000000;
/// As it lies there: the work-item that was last at work.
struct TraceRecord {
    std::uint64_t is_valid = 0;  ///< 1 as soon as a work-item has noted itself
    std::uint64_t global_id[3] = {};
};
struct AllocatedReply {
    static constexpr const char* kType = "allocated";
};

/// A whole allocation (front, payload, back) and its place in the arena.
struct Transfer {
    std::uint32_t buffer = 0;
    std::uint64_t offset = 0;
};

/// Copy from the arena to the device. Reply: UploadedReply.
struct UploadRequest {
    static constexpr const char* kType = "upload";
    std::vector<Transfer> transfers;
};
struct UploadedReply {
    static constexpr const char* kType = "uploaded";
    double upload_ms = 0;  ///< wall clock, all transfers
};

/// Change a buffer's payload on the device, untimed.
struct BufferOperation {
    std::uint32_t buffer = 0;
    std::vector<std::uint8_t> pattern;       ///< 1, 2, 4 or 8 bytes repeated over the payload; or empty:
    std::optional<std::uint32_t> copy_from;  ///< copy this buffer's payload, of the same size
};

/// One place of a read-only input that has another value in each run of a turn, so that no run can be
/// answered with what an earlier one left behind.
struct Variation {
    std::uint32_t buffer = 0;
    std::uint64_t offset = 0;  ///< bytes into the payload
    std::vector<std::vector<std::uint8_t>>
        values;  ///< at least 2, of one length; the first is the place's own
};

struct BufferArgument {
    std::uint32_t buffer = 0;
};
struct ValueArgument {
    std::vector<std::uint8_t> bytes;
};
struct LocalArgument {
    std::uint64_t bytes = 0;
};
using Argument = std::variant<BufferArgument, ValueArgument, LocalArgument>;

struct ExecuteLaunch {
    std::string kernel;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;  ///< empty: the driver chooses
    std::vector<Argument> arguments;   ///< all of them, in order
    std::uint64_t repeat = 1;
    /// After each repeat the two buffers change places in the arguments of this and all later launches of
    /// the run. The next run starts unswapped.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> swap;
};

/// Run launches, once or as a turn; without any launch only download. Enters stage "first launch" where a
/// program runs for the first time with these work-groups (drivers finish compiling there), then "launch",
/// again after every run of more than TurnRule::long_ms. Reply: ExecutedReply.
struct ExecuteRequest {
    static constexpr const char* kType = "execute";
    std::uint32_t program = 0;
    std::vector<ExecuteLaunch> launches;
    std::vector<BufferOperation> before_first;  ///< before the first run: what others left is wiped out
    std::vector<BufferOperation> before_run;    ///< before every run, untimed, in order: poison, then init
    std::optional<TurnRule> turn;               ///< none: one run
    std::vector<Variation> vary;                ///< in the runs of a turn; undone after the last
    bool own_inputs_last =
        true;  ///< the last run of a turn has the inputs as they are: its outputs are known
    std::vector<Transfer> download;  ///< whole allocations, device to arena, after the last run
};
struct ExecutedReply {
    static constexpr const char* kType = "executed";
    double first_wall_ms = 0;        ///< first run of this request, wall clock, enqueue to finished
    std::vector<double> samples_ms;  ///< recorded runs: first START to last END by device events
    std::vector<double> launch_ms;   ///< per launch: median over recorded runs of the sum of its repeats
    double download_ms = 0;          ///< wall clock, all transfers
    std::uint32_t runs = 0;          ///< all of this request, discarded ones too
    double all_runs_ms = 0;          ///< their device time
};

/// The runner enters a step that may kill it.
struct StageNote {
    static constexpr const char* kType = "stage";
    std::string stage;  ///< one of kStages
};
inline constexpr const char* kCompileStage = "compile";
inline constexpr const char* kFirstLaunchStage = "first launch";
inline constexpr const char* kLaunchStage = "launch";

/// Sent by the signal handler of a runner that is about to die of a memory access: SIGSEGV or SIGBUS follows.
struct FaultNote {
    static constexpr const char* kType = "fault";
    enum class Access { Read, Write, Unknown };
    Access access = Access::Unknown;
    /// The buffer nearest to the address, if that lies within its unreadable pages.
    std::optional<std::uint32_t> buffer;
    std::int64_t offset = 0;  ///< bytes from the start of that buffer's payload; negative: before it
    /// True: the processor did not tell the address (a misaligned vector, or no address at all), so no
    /// buffer.
    bool address_unknown = false;
    std::uint64_t address = 0;
    /// The work-item, of a traced build.
    std::optional<std::vector<std::uint64_t>> work_item;  ///< 3 global ids
};

template <>
inline constexpr auto kEnumNames<FaultNote::Access> = std::to_array<std::string_view>({"read", "write",
                                                                                       "unknown"});

/// An OpenCL call failed, or the request cannot be done.
struct FailedReply {
    static constexpr const char* kType = "failed";
    std::string call;       ///< "clEnqueueNDRangeKernel"; empty if no call was made
    std::string code_name;  ///< "CL_OUT_OF_RESOURCES"
    std::int64_t code = 0;
    std::string cause;      ///< likely cause, a clause
    std::string next_step;  ///< what to try, a clause
    /// A launch that the driver had accepted failed on the device; the call only reported it.
    bool is_of_launch = false;

    /// One sentence.
    std::string describe() const;
};
/// FailedReply::code_name of a failure that no request can have caused: a descriptor that is gone, a system
/// call that fails where it cannot. The runner's process is no longer what it was: whoever hears it ends it.
inline constexpr const char* kBrokenProcess = "KWB_BROKEN_PROCESS";

// to_json() of base/json.hpp takes each of these, and the variants.
using RunnerRequest = std::variant<ConfineRequest, DevicesRequest, OpenRequest, BuildRequest, BuffersRequest,
                                   UploadRequest, ExecuteRequest>;
/// @throws ProtocolError  unknown type, or a wrong field
RunnerRequest runner_request_from_json(const Json& json);

using RunnerReply = std::variant<StageNote, FaultNote, ConfinedReply, DeviceList, OpenedReply, BuiltReply,
                                 AllocatedReply, UploadedReply, ExecutedReply, FailedReply>;
/// @throws ProtocolError  unknown type, a wrong field, or a number that no runner can mean (negative times)
RunnerReply runner_reply_from_json(const Json& json);

}  // namespace kwb
