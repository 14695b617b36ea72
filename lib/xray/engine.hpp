// SPDX-License-Identifier: Apache-2.0
// Runs the groups of a launch, one work-item after the other between barriers, and reports events to
// observers.
//
// Each work-item has its own stack. The compiled kernel calls hooks.cpp at each access, basic block,
// barrier and undefined operation; a barrier switches to the next work-item.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "xray/debug_info.hpp"
#include "xray/group_copies.hpp"
#include "xray/observer.hpp"
#include "xray/recorder.hpp"
#include "xray/spin.hpp"

namespace kwb::xray {

/// Spinning: it repeats one access until another work-item stores a new value. Stopped: after undefined
/// behaviour from which it cannot continue.
enum class ItemState : std::uint8_t { Ready, Waiting, Spinning, Done, Stopped };

inline constexpr std::uint32_t kLocalFence = 1;   // CLK_LOCAL_MEM_FENCE
inline constexpr std::uint32_t kGlobalFence = 2;  // CLK_GLOBAL_MEM_FENCE

/// The kind of place at which work-items wait for each other.
enum class Meeting : std::uint8_t { Barrier, Copy, Wait, Gather };

/// An asynchronous copy between local and global memory; strides in elements.
struct Copy {
    std::uintptr_t to = 0, from = 0;
    std::uint64_t elements = 0, element_bytes = 0;
    std::uint64_t to_stride = 1, from_stride = 1;
    std::uint64_t event = 0;  ///< the event passed to it; 0: none

    bool operator==(const Copy&) const = default;
};

class Engine final : public View {
public:
    Engine(Memory& memory, const DebugInfo& debug, const XrayOptions& options,
           std::vector<std::unique_ptr<Observer>>& observers);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// The function to call for each work-item.
    using Entry = std::function<void()>;

    /// Observes groups of a launch.
    /// @param launches_left  the launches that share the budget of events, including this one
    /// @return  true: all groups were observed
    bool run(std::uint32_t launch, const std::string& kernel, const Geometry& geometry, const Entry& entry,
             std::uint64_t launches_left);
    /// After run(): runs the unobserved groups, so that later launches find their results. About ten times
    /// as fast as observing them.
    /// @return  false: the time limit was reached
    bool run_rest(const Entry& entry);
    /// Runs a launch without observing it.
    /// @return  false: the time limit was reached
    bool run_unobserved(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                        const Entry& entry);
    /// While groups run unobserved, notes who stores to these bytes.
    void watch(std::uintptr_t address, std::uint64_t bytes) {
        watched_ = address;
        watched_bytes_ = bytes;
    }
    const XrayStores& stores() const { return stores_; }
    /// Also record a group, and observe no other one of its launch but the first.
    void set_recorder(Recorder& recorder) { recorder_ = &recorder; }
    /// What View::pause() does: waits. @return  as pause()
    void set_pause(std::function<bool()> wait) { wait_ = std::move(wait); }
    /// After a pause: from now on.
    void allow(double most_ms);
    /// Ends a launch in which the kernel has crashed.
    void end_crashed();

    std::uint64_t events() const { return events_; }
    std::uint64_t observed_groups() const { return observed_groups_; }
    std::uintptr_t stacks_begin() const { return stacks_begin_; }
    /// Sites of the barriers that work-items have reached, in all launches.
    const std::set<std::uint32_t>& barrier_sites() const { return barrier_sites_; }
    std::vector<Finding> take_undefined();
    std::vector<Finding> take_remarks() { return std::move(remarks_); }
    void remark(Finding finding) { remarks_.push_back(std::move(finding)); }

    // Called by the compiled kernel, through hooks.cpp.
    void on_access(std::uintptr_t address, std::uint64_t bytes, Access access, const void* pc);
    void on_compare_exchange(std::uintptr_t address, std::uint64_t bytes, std::uint64_t expected,
                             const void* pc);
    void on_built_in_store(std::uintptr_t address, std::uint64_t bytes, const void* pc);
    /// It has stored, or an atomic operation has been done.
    void on_built_in_stored() {
        is_storing_ = false;
        if (is_recording()) recorder_->finish_stores();
    }
    /// @param frame  of the hook
    void on_block(std::uint32_t* guard, const void* pc, std::uintptr_t frame);
    void on_barrier(std::uint32_t flags, bool of_sub_group, const void* pc);
    void on_fence(std::uint32_t flags);
    /// @return  its event
    std::uint64_t on_copy(const Copy& copy, const void* pc);
    /// @param events  the address of `count` events
    /// Whether on_print() keeps texts.
    bool keeps_prints() const { return is_recording(); }
    void on_print(std::string_view text, const void* pc);
    void on_wait(std::int64_t count, std::uintptr_t events, const void* pc);
    const void* on_gather(const void* value, std::uint64_t bytes, bool of_sub_group, const void* pc);
    /// The compiler's pattern for a private variable without an initializer was stored there.
    void on_private_unset(std::uintptr_t address, std::uint64_t bytes, bool ones, FramePlace frame,
                          const void* pc);
    /// Reports undefined behaviour of the current work-item at a place of the source.
    /// @param place  with the file as the compiler printed it
    void on_undefined(Finding finding, const XrayPlace& place, bool stop);
    void on_misaligned(std::uintptr_t address, std::uint64_t needed, const std::string& type,
                       const XrayPlace& place);
    std::uint64_t global_id(unsigned d) const;
    std::uint64_t local_id(unsigned d) const { return d < 3 ? local_id_[d] : 0; }
    std::uint64_t group_id(unsigned d) const { return d < 3 ? group_id_[d] : 0; }
    std::uint32_t item() const { return item_; }
    /// False while unobserved groups run.
    bool is_observing() const { return is_observing_; }
    /// A store of an unobserved group.
    void on_rest_store(std::uintptr_t address, std::uint64_t bytes, const void* pc) {
        if (address < watched_ + watched_bytes_ && watched_ < address + bytes) note_watched(pc);
    }
    /// A basic block of an unobserved group.
    void on_rest_block() {
        if (--blocks_to_look_ == 0) look_at_rest();
    }
    std::uint32_t sub_group_items() const;

    // View
    const Geometry& geometry() const override { return geometry_; }
    Memory& memory() override { return memory_; }
    const Site& site(std::uint32_t site) const override { return sites_[site]; }
    std::uint32_t launch() const override { return launch_; }
    std::uint64_t group() const override { return group_; }
    bool is_whole() const override { return observed_groups_ == geometry_.group_count(); }
    std::uint64_t interval() const override { return interval_; }
    std::string item_name(std::uint32_t item) const override { return item_name(item, group_); }
    std::string item_name(std::uint32_t item, std::uint64_t group) const override;
    std::string group_name(std::uint64_t group) const override;
    std::string place_name(std::uint32_t site) const override { return name_of(sites_[site].place); }
    std::optional<std::size_t> report(Finding finding) override;
    void add_number(std::size_t finding, std::string name, double number) override {
        undefined_[finding].numbers.push_back({std::move(name), number});
    }
    void settle_later() override { must_settle_ = true; }
    bool pause() override;

    std::string name_of(const XrayPlace& place) const;
    void set_source(std::string file_name, std::vector<std::string> lines) {
        file_name_ = std::move(file_name);
        source_lines_ = std::move(lines);
    }
    const std::vector<Site>& sites() const { return sites_; }

    /// The kernel has divided by zero at this instruction.
    void on_division_by_zero(const void* instruction);
    /// Translates a signal in the kernel to a finding.
    Finding describe_crash(const std::string& signal) const;
    bool in_item() const { return in_item_; }
    /// The size of each work-item's stack.
    static constexpr std::size_t kStackBytes = std::size_t{1} << 20;
    static constexpr std::size_t kSpareStackBytes = 32 << 10;  ///< for the hooks themselves
    /// Stack for the first hook of a work-item that exceeds its own, before it is stopped.
    static constexpr std::size_t kBelowStacksBytes = std::size_t{64} << 20;
    bool is_on_stack(std::uintptr_t address) const { return address - stacks_begin_ < stacks_bytes_; }

private:
    struct Item {
        boost::context::detail::fcontext_t context = nullptr;
        ItemState state = ItemState::Ready;
        Meeting meeting = Meeting::Barrier;
        bool of_sub_group = false;
        std::uint32_t site = 0;
        std::uint32_t flags = 0;
        const void* value = nullptr;
        std::uint64_t value_bytes = 0;
        Copy copy;
        std::uint64_t event = 0;            ///< of that copy
        std::vector<std::uint64_t> events;  ///< that it waits for
        Spin spin;
        std::uint32_t yields = 0;
    };
    /// The values that the work-items of a group or sub-group exchange.
    struct Gathered {
        std::vector<std::byte> all[2];
        unsigned turn = 0;
    };
    /// A private variable that the compiler has filled because it has no initializer.
    struct PrivateMark {
        std::uintptr_t begin = 0;
        std::uint64_t bytes = 0;
        std::uint64_t number_bytes = 0;  ///< the smallest number in it
        std::string name;
    };

    static void start_item(boost::context::detail::transfer_t from);
    void begin_launch(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                      const Entry& entry);
    void note_watched(const void* pc);
    bool run_group(std::uint64_t group);
    void resume(std::uint32_t item);
    /// Switches from the current work-item to run_group().
    void leave(ItemState state);
    void wait_at(Meeting meeting, bool of_sub_group, const void* pc);
    /// The work-items [first, last) that wait in this scope continue together.
    void meet(std::uint32_t first, std::uint32_t last, bool of_sub_group);
    void find_divergence(std::uint32_t first, std::uint32_t last, bool of_sub_group);
    bool meet_in_sub_groups();
    bool let_others_go_on();
    void note_access(Access access, std::uint32_t site, std::uintptr_t address, std::uint64_t bytes);
    void report_spin(std::uint32_t item, bool is_endless);
    /// The first work-item that waits in this meeting. Reports work-items that pass different arguments.
    template <class Same>
    std::optional<std::uint32_t> spokesman(Meeting meeting, const char* function, Same same);
    void begin_copy();
    void end_copies();
    void report_unfinished_copies();
    void perform_copy(const Copy& copy, std::uint32_t number);
    void gather(std::uint32_t first, std::uint32_t last, bool of_sub_group);
    std::uint32_t site_of(const void* pc);
    bool is_assignment(const XrayPlace& place) const;
    std::string word_at(std::uint32_t line, std::uint32_t column) const;
    void name_outside_array(Finding& finding, const XrayPlace& place) const;
    NamedList<double> integers_of_caller() const;
    using Reported = std::tuple<FindingCode, std::string, std::string, std::string, bool>;
    /// Notes what an out-of-bounds access has in common with the earlier ones at its place.
    void compare_integers(const Reported& what, bool is_new);
    void tell(const AccessEvent& event);
    bool is_recording() const { return recorder_ != nullptr && recorder_->is_on(); }
    /// The last event's store is in memory; reports a read that was held back.
    void settle();
    void count_event(const void* pc) {
        if (must_yield_ && !is_storing_) yield();
        last_pc_ = pc;
        if (++events_ >= next_look_) look();
    }
    void yield();
    void yield_before_first_atomic();
    void look();
    void look_at_rest();
    std::uint32_t block_site_of(const void* pc);
    bool find_recursion(const void* pc, std::uintptr_t frame);
    void on_private(std::uintptr_t address, std::uint64_t bytes, Access access, const void* pc);
    void outside(std::uintptr_t address, std::uint64_t bytes, Access access, std::uint32_t site);
    std::optional<std::uint64_t> traced_group() const;
    std::uint64_t least_groups(std::uint64_t events) const;
    std::vector<std::uint64_t> choose_groups(std::uint64_t events, std::uint64_t launches_left) const;
    [[noreturn]] void stop_item();

    Memory& memory_;
    const DebugInfo& debug_;
    const XrayOptions& options_;
    std::vector<std::unique_ptr<Observer>>& observers_;
    Recorder* recorder_ = nullptr;  ///< null: nothing is recorded
    std::function<bool()> wait_;    ///< empty: pause() ends what is done
    std::string file_name_;
    std::vector<std::string> source_lines_;
    Geometry geometry_;
    const Entry* entry_ = nullptr;
    std::string kernel_;
    std::uint32_t launch_ = 0;
    std::uint64_t group_ = 0;
    std::array<std::uint64_t, 3> group_id_{};
    std::array<std::uint64_t, 3> local_id_{};
    std::uint32_t item_ = 0;
    bool in_item_ = false;
    std::uint64_t interval_ = 0;
    std::vector<Item> items_;
    boost::context::detail::fcontext_t scheduler_ = nullptr;

    std::uintptr_t stacks_begin_ = 0;
    std::size_t stacks_bytes_ = 0;
    LazyBytes stacks_;
    LazyBytes private_unset_;  ///< one byte per byte of the stacks; 1: uninitialised
    std::vector<PrivateMark> marks_;

    std::vector<Site> sites_;
    std::vector<std::uint32_t> site_of_offset_;  ///< offset of the pc in the program → site + 1
    std::vector<std::uint32_t> region_of_site_;
    static constexpr std::uint32_t kNoBlock = UINT32_MAX - 1;
    std::vector<std::uint32_t> block_sites_;  ///< guard → site, or kNoBlock
    std::set<std::size_t> entered_;           ///< functions of which a block has run

    AccessEvent held_;  ///< a vector read that may be part of a component's store
    bool holds_ = false;
    GroupCopies copies_;
    std::vector<bool> is_awaited_;  ///< by number of the copy
    bool must_yield_ = false;  ///< the work-item has done an atomic operation, so that others may run next
    bool has_spun_ = false;    ///< some work-item has repeated an access many times
    std::map<std::pair<bool, std::uint32_t>, Gathered> gathered_;  ///< by scope and first work-item

    std::uint64_t events_ = 0;
    std::uint64_t events_before_group_ = 0;  ///< that runs
    std::uint64_t next_look_ = 0;
    std::uint64_t observed_groups_ = 0;
    bool is_observing_ = true;
    std::vector<std::unique_ptr<Observer>> resting_observers_;  ///< while is_observing_ is false
    std::uint64_t blocks_to_look_ = 0;
    std::vector<bool> has_run_;  ///< the groups of this launch
    double rest_ms_ = 0;         ///< time left for unobserved groups
    double rest_deadline_ms_ = std::numeric_limits<double>::infinity();
    std::uintptr_t watched_ = 0;
    std::uint64_t watched_bytes_ = 0;
    XrayStores stores_;
    std::set<std::uint32_t> barrier_sites_;
    double deadline_ms_;  ///< of processor time, like rest_deadline_ms_
    bool is_stopped_ = false;
    bool must_settle_ = false;
    bool is_storing_ = false;  ///< a built-in function has reported its store but not yet made it
    /// A read of an uninitialised private vector, unless it is part of a component's store.
    struct Doubt {
        std::uintptr_t address = 0;
        std::uint64_t bytes = 0;
        Finding finding;
    };
    std::optional<Doubt> doubt_;
    const void* last_pc_ = nullptr;
    std::mt19937_64 random_;
    std::vector<Finding> undefined_;
    std::vector<Finding> remarks_;
    std::set<Reported> reported_;
    /// For out-of-bounds accesses: the integers that had the same value each time, and the finding.
    struct SameEachTime {
        std::size_t finding = 0;
        NamedList<double> integers;
        std::uint32_t times = 0;
    };
    std::map<Reported, SameEachTime> same_each_time_;
};

}  // namespace kwb::xray
