// SPDX-License-Identifier: Apache-2.0
// X-ray's observations of a kernel: which work-item reads and writes which element, from which line, and its
// undefined behaviour. X-ray runs the kernel's own source, compiled without optimisation, on the CPU,
// work-item by work-item.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "model/finding.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Most cells of a map of counts on each side.
inline constexpr std::uint32_t kMostXrayCells = 64;
inline constexpr std::uint64_t kMostXrayGroupItems = 4096;   ///< larger groups are not observed
inline constexpr std::size_t kMostTracedAccesses = 100'000;  ///< the first ones are kept
inline constexpr std::uint64_t kSectorBytes = 32;            ///< the smallest transfer of global memory

enum class XrayAim {
    Observe,
    Record,  ///< instead of its accesses, all that `trace_group` does, with values: see model/recording.hpp
    Run      ///< only compute the results, which is some ten times as fast
};

template <>
inline constexpr auto kEnumNames<XrayAim> = std::to_array<std::string_view>({"observe", "record", "run"});

/// An element of a buffer of the problem.
struct XrayElement {
    std::string buffer;
    std::uint64_t element = 0;  ///< row-major index
};

struct XrayOptions {
    std::uint32_t sub_group = 32;  ///< work-items of a sub-group: 8, 16, 32 or 64
    /// The order of groups, and of the work-items of a group between two barriers; nullopt: ascending, but
    /// for groups of large launches that show what the others take.
    std::optional<std::uint64_t> order_seed = {};
    /// Whole groups are observed, until about this many events: accesses, barriers and basic blocks.
    std::uint64_t most_events = 50'000'000;
    double most_ms = 5'000;    ///< for running, without compiling
    bool keep_counts = false;  ///< fill XrayReport::buffers[].loads, stores and XrayReport::sites
    /// Fill only XrayReport::sites, lines and the barriers of launches, mostly from the groups that are
    /// observed anyway.
    bool keep_sites = false;
    /// Keep the accesses of this group of launch `trace_launch`; nullopt: of none.
    std::optional<std::vector<std::uint64_t>> trace_group = {};
    std::uint32_t trace_launch = 0;
    XrayAim aim = XrayAim::Observe;
    /// With XrayAim::Record: the part of the group that has this event, or the first one in which this
    /// work-item has begun, and the length of a part.
    std::uint64_t record_from = 0;
    std::optional<std::uint32_t> record_item = {};  ///< local linear id
    std::uint64_t part_events = 4'000'000;
    /// With XrayAim::Run: which work-item stores this element.
    std::optional<XrayElement> stored = {};
};

/// A word of the source.
struct XrayPlace {
    std::string file;          ///< included file, relative to the kernel's folder; empty: the kernel's own
    std::uint32_t line = 0;    ///< from 1; 0: unknown
    std::uint32_t column = 0;  ///< from 1, in bytes; 0: unknown

    friend auto operator<=>(const XrayPlace&, const XrayPlace&) = default;
};

/// Where counts of whole launches come from.
enum class CountBasis {
    Counted,    ///< all work-groups were observed
    Scaled,     ///< some were, and the others do the same at other addresses, as far as those show
    Estimated,  ///< some were, and they differ from each other
    Partial     ///< launches, or parts of them, are missing
};

template <>
inline constexpr auto kEnumNames<CountBasis> = std::to_array<std::string_view>({"counted", "scaled",
                                                                                "estimated", "partial"});

/// A buffer argument, a `__local` array or variable, or a constant of the program.
struct XrayBuffer {
    std::string name;
    AddressSpace space = AddressSpace::Global;
    std::string type;  ///< of an element, as the compiler names it: "float"
    std::uint64_t element_bytes = 1;
    std::vector<std::uint64_t> extents;  ///< elements in each dimension, outermost first
    bool is_argument = false;  ///< `__local` memory passed by the launch, not declared in the kernel
    // With XrayOptions::keep_counts, by all work-items of all launches; of `__local` memory, by those of one
    // work-group, on average.
    CountBasis basis = CountBasis::Counted;  ///< of the following
    std::uint64_t loads = 0;                 ///< of elements
    std::uint64_t stores = 0;                ///< an atomic operation is both
    std::uint64_t elements_loaded = 0;       ///< different ones
    std::uint64_t elements_stored = 0;
    // A grid over the last dimension (columns) and all others together (rows),
    // as in ErrorMap; a cell has the largest count of its elements.
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<std::uint32_t> loads_of_cell = {};  ///< row-major
    std::vector<std::uint32_t> stores_of_cell = {};
};

/// How the lanes of a sub-group address memory in one access.
enum class AccessPattern {
    Broadcast,   ///< all the same element
    Contiguous,  ///< neighbours, in any order
    Strided,     ///< a constant distance of more than one element
    Scattered,   ///< anything else
    Single       ///< only one lane is active
};

template <>
inline constexpr auto kEnumNames<AccessPattern> =
    std::to_array<std::string_view>({"broadcast", "contiguous", "strided", "scattered", "single"});

enum class AccessKind { Load, Store, Atomic };

template <>
inline constexpr auto kEnumNames<AccessKind> = std::to_array<std::string_view>({"load", "store", "atomic"});

/// One access in the source, by all work-groups of the launches: where only some were observed, scaled by the
/// kinds of groups (corner, edge, inside). Between two barriers, a sub-group's n-th executions of it count as
/// one access of the sub-group.
struct XraySite {
    XrayPlace place;
    AccessKind kind = AccessKind::Load;
    std::uint32_t launch = 0;       ///< index in XrayReport::launches
    std::uint32_t buffer = 0;       ///< index in XrayReport::buffers
    std::uint64_t width_bytes = 0;  ///< of one work-item
    std::uint64_t executions = 0;   ///< by work-items
    std::uint64_t sub_group_accesses = 0;
    std::uint64_t requested_bytes = 0;
    /// Global and constant memory: 32-byte sectors and 128-byte lines, summed over sub_group_accesses.
    std::uint64_t sectors = 0;
    std::uint64_t lines = 0;
    /// Local memory: cycles, summed likewise, for 32 banks of 4 bytes.
    std::uint64_t bank_cycles = 0;
    std::uint64_t ideal_bank_cycles = 0;               ///< without conflicts
    AccessPattern pattern = AccessPattern::Scattered;  ///< the most frequent
    std::int64_t stride_elements = 0;                  ///< of Strided
    std::uint64_t active_lanes = 0;                    ///< summed over sub_group_accesses
    /// Executions whose address is next to the same work-item's previous one: compilers may merge them.
    std::uint64_t adjacent = 0;
    /// Atomic operations: the lanes that access the sub-group's most accessed address, summed over
    /// sub_group_accesses; nullopt: another access, or counted by an earlier version.
    std::optional<std::uint64_t> same_address = {};
};

/// A line of the source with the basic blocks that begin in it: conditions, loops, bodies. Executions are
/// those of whole launches, as in XraySite.
struct XrayLine {
    XrayPlace place;
    std::uint64_t executions = 0;            ///< by work-items
    std::uint64_t sub_group_executions = 0;  ///< a sub-group executes it as often as its busiest lane
    std::uint64_t lanes = 0;  ///< sub_group_executions times the lanes of each sub-group: executions / lanes
                              ///< is the share of active lanes
};

/// One access of a traced group, in the order of execution.
struct XrayTrace {
    std::vector<std::uint32_t> items;      ///< local linear id
    std::vector<std::uint32_t> sites;      ///< index in XrayReport::sites
    std::vector<std::uint32_t> elements;   ///< index in the site's buffer
    std::vector<std::uint32_t> intervals;  ///< barriers passed before it
    bool is_whole = true;                  ///< false: only the first ones
};

/// Executions of all basic blocks of a launch, as in XrayLine. A block that always follows the same other
/// one, which nothing else follows, is a part of that.
struct XrayBlocks {
    std::uint64_t executions = 0;
    std::uint64_t sub_group_executions = 0;
    std::uint64_t lanes = 0;
};

struct XrayLaunch {
    std::string kernel;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;
    std::uint64_t groups = 0;
    std::uint64_t observed_groups = 0;
    std::uint64_t barriers = 0;  ///< passed by all groups, scaled as in XraySite; with keep_counts
    std::optional<std::uint64_t> runs = {};  ///< with repetitions; nullopt: written by an earlier version
    std::optional<XrayBlocks> blocks = {};   ///< like `barriers`
};

/// A work-item that has stored an element.
struct XrayStore {
    std::uint32_t launch = 0;  ///< index in XrayReport::launches
    std::vector<std::uint64_t> group;
    std::uint64_t item = 0;  ///< local linear id
    XrayPlace place;
};

/// Who has stored XrayOptions::stored.
struct XrayStores {
    std::uint64_t times = 0;
    std::optional<XrayStore> first = {};  ///< nullopt: nobody
    std::optional<XrayStore> last = {};
};

struct XrayReport {
    std::uint32_t sub_group = 32;
    std::vector<XrayLaunch> launches;
    std::uint64_t events = 0;
    double compile_ms = 0;
    double run_ms = 0;
    /// Undefined behaviour (FindingCode::DataRace to FindingCode::SignedOverflow), each once per
    /// pair of places.
    std::vector<Finding> undefined;
    /// Gaps in the observation, and why (FindingCode::XraySampled to FindingCode::XrayNotObserved).
    std::vector<Finding> remarks;
    std::vector<XrayBuffer> buffers;
    std::vector<XraySite> sites;
    std::vector<XrayLine> lines;
    std::vector<XrayPlace> barriers;  ///< that observed work-items have reached
    std::optional<XrayTrace> trace = {};
    std::optional<XrayStores> stores = {};
};

}  // namespace kwb
