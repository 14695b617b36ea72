// SPDX-License-Identifier: Apache-2.0
// The engine's events, and the interface of its observers. (The idea of a small core with separate
// analyses: J. Price and S. McIntosh-Smith, "Oclgrind: an extensible OpenCL device simulator", IWOCL 2015.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/launch.hpp"
#include "model/xray.hpp"
#include "xray/memory.hpp"

namespace kwb::xray {

/// The work-item that represents a whole group: it makes the accesses of asynchronous copies.
inline constexpr std::uint32_t kGroupItem = UINT32_MAX - 1;

/// An instruction that accesses memory, or a basic block.
struct Site {
    const void* pc = nullptr;  ///< the callback's return address
    XrayPlace place;
    bool is_assignment =
        false;  ///< at a = in the kernel's own file, so that a read of the store's target does not count
    bool is_called = false;  ///< the first block of a function that the kernel calls
};

/// Exchange: the kernel may ignore the old value. FailedExchange: the comparison found another value, so
/// nothing is stored.
enum class Access : std::uint8_t { Read, Write, Atomic, Exchange, CompareExchange, FailedExchange };

/// "read", "write", "atomic": as in findings.
constexpr const char* access_name(Access access) {
    return access == Access::Read ? "read" : access == Access::Write ? "write" : "atomic";
}

constexpr bool is_atomic(Access access) {
    return access >= Access::Atomic;
}

/// One access by one work-item, within one region.
struct AccessEvent {
    std::uint32_t item = 0;  ///< local linear id, or kGroupItem
    std::uint32_t site = 0;
    std::uint32_t region = 0;
    Access access = Access::Read;
    /// Only some components of a vector are meant, as in v[i].x = 1: the compiler reads and writes all of it.
    bool is_part = false;
    std::uint32_t bytes = 0;
    std::uint32_t copy = 0;    ///< by kGroupItem: the number of the copy in its group, from 1
    std::uint64_t offset = 0;  ///< in the region
};

/// The extents of a launch.
struct Geometry {
    std::array<std::uint64_t, 3> global{1, 1, 1};
    std::array<std::uint64_t, 3> local{1, 1, 1};
    std::array<std::uint64_t, 3> groups{1, 1, 1};
    std::uint32_t dimensions = 1;
    std::uint32_t items = 1;  ///< of a group
    std::uint32_t sub_group = 32;

    std::array<std::uint64_t, 3> local_id(std::uint32_t item) const {
        return {item % local[0], item / local[0] % local[1], item / local[0] / local[1]};
    }
    std::uint64_t group_count() const { return groups[0] * groups[1] * groups[2]; }
    std::array<std::uint64_t, 3> group_id(std::uint64_t group) const {
        return {group % groups[0], group / groups[0] % groups[1], group / groups[0] / groups[1]};
    }
    std::array<std::uint64_t, 3> global_id(std::uint32_t item, std::uint64_t group) const {
        const std::array<std::uint64_t, 3> first = group_id(group);
        const std::array<std::uint64_t, 3> id = local_id(item);
        return {first[0] * local[0] + id[0], first[1] * local[1] + id[1], first[2] * local[2] + id[2]};
    }
};

/// The state of the engine that observers can query.
class View {
public:
    virtual ~View() = default;
    virtual const Geometry& geometry() const = 0;
    virtual Memory& memory() = 0;
    virtual const Site& site(std::uint32_t site) const = 0;
    virtual std::uint32_t launch() const = 0;
    virtual std::uint64_t group() const = 0;     ///< linear id
    virtual bool is_whole() const = 0;           ///< all groups of the launch have been observed
    virtual std::uint64_t interval() const = 0;  ///< barriers that the group has passed
    /// "(3, 0)": the global id of a work-item of the current group, or of `group`.
    virtual std::string item_name(std::uint32_t item) const = 0;
    virtual std::string item_name(std::uint32_t item, std::uint64_t group) const = 0;
    virtual std::string group_name(std::uint64_t group) const = 0;
    virtual std::string place_name(std::uint32_t site) const = 0;
    /// Adds a finding, once for each code, place, first_place and between_groups.
    /// @return  its number for add_number(); nullopt: already known, or too many findings
    virtual std::optional<std::size_t> report(Finding finding) = 0;
    /// Adds a number to a finding.
    virtual void add_number(std::size_t finding, std::string name, double number) = 0;
    /// Requests a call of settle() of all observers before the next event.
    virtual void settle_later() = 0;
    /// A part of a recording is complete: waits until the next one is wanted.
    /// @return  false: none is; the work-item must stop
    virtual bool pause() = 0;
};

class Observer {
public:
    virtual ~Observer() = default;
    virtual void begin_launch(View&) {}
    virtual void begin_group(View&) {}
    virtual void access(View&, const AccessEvent&) {}
    /// @param frame  the base of the function's frame; those of functions that it calls are below
    virtual void block(View&, std::uint32_t /*site*/, std::uint32_t /*item*/, std::uintptr_t /*frame*/) {}
    /// All work-items of the group have passed a barrier with the fence of these memories.
    virtual void barrier(View&, bool /*local*/, bool /*global*/) {}
    /// The work-items first … last - 1, a sub-group, have passed a sub-group barrier.
    virtual void sub_group_barrier(View&, std::uint32_t /*first*/, std::uint32_t /*last*/, bool /*local*/,
                                   bool /*global*/) {}
    /// A work-item has passed a fence of these memories.
    virtual void fence(View&, std::uint32_t /*item*/, bool /*local*/, bool /*global*/) {}
    /// The group has waited for these asynchronous copies.
    virtual void copies_done(View&, const std::vector<std::uint32_t>& /*copies*/) {}
    /// After settle_later(): the last store is in memory now.
    virtual void settle(View&) {}
    virtual void end_group(View&) {}
    virtual void end_launch(View&) {}
    /// The unobserved groups of the launch have run, too.
    virtual void rest_done(View&) {}
    /// Adds the observer's results. Buffers of the report and regions have the same numbers.
    virtual void add_to(XrayReport&, View&) const {}
};

/// Two accesses to the same memory, at least one of them a write, that no barrier orders.
std::unique_ptr<Observer> make_race_observer();
/// Reads of uninitialised memory.
std::unique_ptr<Observer> make_unset_observer();
/// Reads and writes of each element by whole launches, and how sub-groups address memory in each access of
/// the source.
/// @param counts_elements  false: only how accesses address memory, which takes much less time
std::unique_ptr<Observer> make_counts_observer(bool counts_elements);
/// Executions of each line, and by how many lanes of a sub-group at once.
std::unique_ptr<Observer> make_lines_observer();
/// The accesses of one group, in order.
std::unique_ptr<Observer> make_trace_observer(std::uint32_t launch, std::vector<std::uint64_t> group);

}  // namespace kwb::xray
