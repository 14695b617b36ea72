// SPDX-License-Identifier: Apache-2.0
// The messages between a judge and a runner.
//
// The runner answers each request with one reply, or with `failed`; before a dangerous step it sends the
// `stage` that it enters. Bulk data is in the shared Arena; the judge decides where. The judge does not trust
// any of it: the readers throw ProtocolError.
//
//   judge → runner   confine · devices · open · warm_up · build · buffers · upload · execute · prepare ·
//   launch runner → judge   hello · stage · fault · confined · devices · opened · warmed_up · built ·
//   allocated ·
//                    uploaded · prepared · executed · failed
//
// kwb-xray supports a part of the protocol:
//
//   judge → xray     confine · observe
//   xray → judge     hello · stage · confined · observed · failed
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/named.hpp"
#include "model/device_info.hpp"
#include "model/launch.hpp"
#include "model/recording.hpp"
#include "model/sandbox.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Permanently gives up access to everything that `policy` does not list. This must be the first request,
/// before a driver is loaded; a second one is refused. Reply: ConfinedReply.
struct ConfineRequest {
    static constexpr const char* kType = "confine";
    SandboxPolicy policy;
};
struct ConfinedReply {
    static constexpr const char* kType = "confined";
    SandboxReport report;
};

/// Lists every device of the platforms that this runner's ICD loader finds. Reply: DeviceList, with ids of
/// the form "<platform>:<number>" that are valid within this runner.
struct DevicesRequest {
    static constexpr const char* kType = "devices";
    std::string library = {};  ///< library of the only driver, as named in its .icd file; empty: all drivers
                               ///< that the loader finds
};

/// Opens the device at `index` of that list for all later requests: a context and a profiling queue. Reply:
/// OpenedReply.
struct OpenRequest {
    static constexpr const char* kType = "open";
    std::uint32_t index = 0;
};
struct OpenedReply {
    static constexpr const char* kType = "opened";
};

/// Compiles and runs a tiny kernel of the runner, so that the next kernel costs less: see warm_up(). Failures
/// are ignored. Reply: WarmedUpReply.
struct WarmUpRequest {
    static constexpr const char* kType = "warm_up";
};
struct WarmedUpReply {
    static constexpr const char* kType = "warmed_up";
};

/// Compiles and links. Enters stage "compile". Replaces an earlier program with the same number. Reply:
/// BuiltReply.
struct BuildRequest {
    static constexpr const char* kType = "build";
    std::uint32_t program = 0;
    std::string file_name;  ///< the name of the source in compiler messages
    std::string source_text;
    NamedList<std::string> includes;  ///< name in the #include directive → text
    std::string options;              ///< complete except for the runner's additions
};

struct BuiltReply {
    static constexpr const char* kType = "built";
    bool accepted = false;  ///< false: the source was rejected; `log` holds the reason
    std::string log;
    double build_ms = 0;
    std::vector<FunctionInfo> functions;
};

/// Creates device buffers, each front + payload + back bytes. An existing buffer of the same id and shape is
/// kept with its content; all buffers that are not listed are released. Reply: AllocatedReply.
struct BuffersRequest {
    static constexpr const char* kType = "buffers";
    struct Buffer {
        std::uint32_t id = 0;
        std::uint64_t front_bytes = 0;  ///< before the payload: a guard zone, or the slack of the page
        std::uint64_t bytes = 0;        ///< payload, at least 1
        std::uint64_t back_bytes = 0;   ///< after the payload
        /// With unreadable pages: all pages of the allocation are this many bytes of memory, again and again,
        /// a multiple of kPageBytes below its size; 0: each byte is memory of its own.
        std::uint64_t repeated_bytes = 0;

        friend bool operator==(const Buffer&, const Buffer&) = default;
    };
    std::vector<Buffer> buffers;
    /// False: memory allocated by the driver; `front_bytes` is a multiple of the device's base alignment.
    /// True, for devices that work in host memory: each allocation consists of whole pages (kPageBytes) with
    /// kUnreadableBytes of unreadable address space on either side, and an access there ends with a
    /// FaultNote.
    bool unreadable_pages = false;
    /// Map the page at kTraceAddress, to which a traced build (see TraceRecord) writes the current work-item.
    bool trace = false;
};

/// Allocations between unreadable pages are multiples of this.
inline constexpr std::uint64_t kPageBytes = 4096;
/// Enough for an index that is off by 10⁹ floats; takes only address space.
inline constexpr std::uint64_t kUnreadableBytes = std::uint64_t{8} << 30;

/// Where a traced build writes its record. The address is fixed, so that it can be a literal in the source.
inline constexpr std::uint64_t kTraceAddress = 0x5b0000000000;
/// Layout of the record: the work-item that was running last.
struct TraceRecord {
    std::uint64_t is_valid = 0;  ///< 1 once a work-item has recorded itself
    std::uint64_t global_id[3] = {};
};
struct AllocatedReply {
    static constexpr const char* kType = "allocated";
};

/// An allocation and its position in the arena.
struct Transfer {
    std::uint32_t buffer = 0;
    std::uint64_t offset = 0;
};

/// Copies whole allocations (front, payload, back) from the arena to the device. Reply: UploadedReply.
struct UploadRequest {
    static constexpr const char* kType = "upload";
    std::vector<Transfer> transfers;
};
struct UploadedReply {
    static constexpr const char* kType = "uploaded";
    double upload_ms = 0;  ///< wall clock, all transfers
};

/// Changes a buffer's payload on the device, untimed.
struct BufferOperation {
    std::uint32_t buffer = 0;
    std::vector<std::uint8_t> pattern;       ///< 1, 2, 4 or 8 bytes repeated over the payload; if empty:
    std::optional<std::uint32_t> copy_from;  ///< copy the payload of this buffer, which has the same size
};

/// Performs launches once; without launches it only downloads. Enters stage "first launch" when a program
/// runs for the first time with these work-groups (drivers finish the compilation there), then "launch".
/// Small buffers move to other memory before (see DeviceBuffer::move). Reply: ExecutedReply.
struct ExecuteRequest {
    static constexpr const char* kType = "execute";
    std::uint32_t program = 0;
    std::vector<Launch> launches;
    std::vector<BufferOperation> before_first;  ///< before this run: overwrites data of other kernels
    std::vector<BufferOperation> before_run;    ///< before every run, untimed, in order: poison, then init
    std::vector<Transfer> inputs;               ///< payloads, arena to device, before everything else
    std::vector<Transfer> download;             ///< whole allocations, device to arena, after the run
    bool is_sampled = false;                    ///< note where its threads are: ExecutedReply::samples
};

/// Another run of the launches that were executed last, in two steps, so that the judge's clock sees the
/// launches only. The runner never knows which runs the judge will verify, nor how many follow.
/// Valid until buffers or programs change.
/// First step: copies `inputs` as above, then performs `before_run`. Reply: PreparedReply.
struct PrepareRequest {
    static constexpr const char* kType = "prepare";
    std::vector<Transfer> inputs;
};
struct PreparedReply {
    static constexpr const char* kType = "prepared";
};
/// Second step: performs the launches, in stage "launch". Reply: ExecutedReply.
struct LaunchRequest {
    static constexpr const char* kType = "launch";
};

/// An address in the code of a library.
struct CodePlace {
    std::string library;       ///< its path
    std::uint64_t offset = 0;  ///< bytes from where it is loaded
};
inline constexpr std::size_t kMostCodePlaces = 1024;

struct ExecutedReply {
    static constexpr const char* kType = "executed";
    double run_ms = 0;              ///< from the first START to the last END of device events
    std::vector<double> launch_ms;  ///< per launch: the sum of its repeats
    double wall_ms = 0;             ///< wall clock, enqueue to finished
    double download_ms = 0;         ///< wall clock, all transfers
    std::vector<CodePlace> samples = {};
};

/// Observe launches of a kernel, in order. Enters stage "compile", then "launch". Reply: ObservedReply;
/// FailedReply if the source does not compile, or uses a feature that X-ray does not support.
struct ObserveRequest {
    static constexpr const char* kType = "observe";
    /// A buffer; its number in Launch's arguments and in `before_run` is its place in the list.
    struct Buffer {
        std::string name;
        ElementType type;
        std::vector<std::uint64_t> extents;   ///< its shape, outermost dimension first
        std::optional<std::uint64_t> offset;  ///< of its content in the arena; nullopt: uninitialised

        std::uint64_t elements() const {
            std::uint64_t product = 1;
            for (const std::uint64_t extent : extents) product *= extent;
            return product;
        }
    };
    std::string compiler;  ///< path of clang
    std::string folder;    ///< for the compiler's files; it may hold those of an earlier request
    std::string file_name;
    std::string source_text;
    NamedList<std::string> includes;
    std::string options;                  ///< with all -D
    std::vector<FunctionInfo> functions;  ///< at least those that are launched, with all parameters
    std::vector<Launch> launches;         ///< with local sizes
    std::vector<Buffer> buffers;
    std::vector<BufferOperation> before_run;  ///< in order; their targets count as initialised
    std::vector<Transfer> download;           ///< payloads, to the arena, after the run
    XrayOptions xray;
};
/// The prefix of a variable's name among the numbers of a finding about an out-of-bounds access: an integer
/// that had this value each time.
inline constexpr const char* kVariablePrefix = "variable ";

struct ObservedReply {
    static constexpr const char* kType = "observed";
    XrayReport report;
    std::optional<Recording> recording = {};  ///< its bytes are the attachment
};

/// The runner enters a step in which it may crash.
struct StageNote {
    static constexpr const char* kType = "stage";
    std::string stage;  ///< kCompileStage, kFirstLaunchStage or kLaunchStage
};
/// The name of the program that observes, in its hello.
inline constexpr const char* kXrayProgram = "kwb-xray";

inline constexpr const char* kCompileStage = "compile";
inline constexpr const char* kFirstLaunchStage = "first launch";
inline constexpr const char* kLaunchStage = "launch";

/// Sent by the signal handler of a runner that is about to die of an invalid memory access; SIGSEGV or SIGBUS
/// follows.
struct FaultNote {
    static constexpr const char* kType = "fault";
    enum class Access { Read, Write, Unknown };
    Access access = Access::Unknown;
    /// The buffer nearest to the address, if the address is within that buffer's unreadable pages.
    std::optional<std::uint32_t> buffer;
    std::int64_t offset = 0;  ///< bytes from the start of that buffer's payload; negative: before it
    /// True: the CPU did not report the address (a misaligned vector, or an invalid address), so there
    /// is no buffer.
    bool address_unknown = false;
    std::uint64_t address = 0;
    /// The work-item, if the build was traced.
    std::optional<std::vector<std::uint64_t>> work_item;  ///< 3 global ids
};

template <>
inline constexpr auto kEnumNames<FaultNote::Access> = std::to_array<std::string_view>({"read", "write",
                                                                                       "unknown"});

// to_json() of base/json.hpp accepts each of these, and the variants.
using RunnerRequest =
    std::variant<ConfineRequest, DevicesRequest, OpenRequest, WarmUpRequest, BuildRequest, BuffersRequest,
                 UploadRequest, ExecuteRequest, PrepareRequest, LaunchRequest, ObserveRequest>;
/// @throws ProtocolError  unknown type, or an invalid field
RunnerRequest runner_request_from_json(const Json& json);

using RunnerReply =
    std::variant<StageNote, FaultNote, ConfinedReply, DeviceList, OpenedReply, WarmedUpReply, BuiltReply,
                 AllocatedReply, UploadedReply, PreparedReply, ExecutedReply, ObservedReply, FailedReply>;
/// @throws ProtocolError  unknown type, an invalid field, or an impossible number (a negative time)
/// @param attachment  the bytes of an observed reply's recording
RunnerReply runner_reply_from_json(const Json& json, std::string_view attachment = {});

/// FailedReply::code_name for a failure that is not caused by a request, such as a closed descriptor or an
/// unexpected system call error. The judge then ends the runner.
inline constexpr const char* kBrokenProcess = "KWB_BROKEN_PROCESS";

}  // namespace kwb
