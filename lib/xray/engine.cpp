#include "xray/engine.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::xray {
namespace context = boost::context::detail;
namespace {

constexpr std::uint64_t kEventsBetweenLooks = 1 << 15;
constexpr std::size_t kMostFindings = 64;
constexpr std::uint32_t kLocalFence = 1;   // CLK_LOCAL_MEM_FENCE
constexpr std::uint32_t kGlobalFence = 2;  // CLK_GLOBAL_MEM_FENCE
/// One group may take this many times the budget of events before it counts as endless.
constexpr std::uint64_t kEndlessFactor = 4;
constexpr std::uintptr_t kNullBytes = 1 << 16;

std::string name_of(Access access) {
    return access == Access::Read ? "read" : access == Access::Write ? "write" : "atomic";
}

std::string join_ids(const std::array<std::uint64_t, 3>& ids, std::uint32_t dimensions) {
    std::vector<std::string> words;
    for (std::uint32_t d = 0; d < dimensions; ++d) words.push_back(std::to_string(ids[d]));
    return dimensions == 1 ? words.front() : "(" + join(words, ", ") + ")";
}

}  // namespace

Engine::Engine(Memory& memory, const DebugInfo& debug, const XrayOptions& options,
               std::vector<std::unique_ptr<Observer>>& observers)
    : memory_(memory),
      debug_(debug),
      options_(options),
      observers_(observers),
      site_of_offset_(debug.code_bytes() + 1),
      deadline_(deadline_after_ms(options.most_ms)),
      random_(options.order_seed.value_or(0)) {}

Engine::~Engine() = default;

bool Engine::run(std::uint32_t launch, const std::string& kernel, const Geometry& geometry,
                 const Entry& entry) {
    launch_ = launch;
    kernel_ = kernel;
    geometry_ = geometry;
    entry_ = &entry;
    observed_groups_ = 0;
    barriers_ = 0;
    items_.assign(geometry.items, {});
    if (stacks_bytes_ < geometry.items * kStackBytes) {
        stacks_bytes_ = geometry.items * kStackBytes;
        stacks_ = LazyBytes(kBelowStacksBytes + stacks_bytes_);
        private_unset_ = LazyBytes(stacks_bytes_);
        stacks_begin_ = reinterpret_cast<std::uintptr_t>(stacks_.data()) + kBelowStacksBytes;
    }
    for (const auto& observer : observers_) observer->begin_launch(*this);
    const std::uint64_t before = events_;
    const std::uint64_t count = geometry.group_count();
    bool goes_on = run_group(0);
    std::vector<std::uint64_t> others =
        goes_on ? choose_groups(events_ - before) : std::vector<std::uint64_t>{};
    if (options_.order_seed) std::shuffle(others.begin(), others.end(), random_);
    if (const auto traced = traced_group(); goes_on && traced) {
        std::erase(others, *traced);
        others.insert(others.begin(), *traced);
    }
    for (const std::uint64_t group : others) {
        if (Clock::now() >= deadline_ || events_ > options_.most_events) break;
        goes_on = run_group(group);
        if (!goes_on) break;
    }
    for (const auto& observer : observers_) observer->end_launch(*this);
    if (observed_groups_ > 0 && observed_groups_ < count)
        remarks_.push_back({.code = FindingCode::XraySampled,
                            .subject = kernel,
                            .numbers = {{"groups", static_cast<double>(count)},
                                        {"observed", static_cast<double>(observed_groups_)}}});
    return goes_on && observed_groups_ == count;
}

/// The group to be traced in this launch, if it is not the first.
std::optional<std::uint64_t> Engine::traced_group() const {
    if (!options_.trace_group || options_.trace_launch != launch_) return std::nullopt;
    std::uint64_t group = 0;
    for (std::size_t d = 3; d-- > 0;) {
        const std::uint64_t index = d < options_.trace_group->size() ? (*options_.trace_group)[d] : 0;
        if (index >= geometry_.groups[d]) return std::nullopt;
        group = group * geometry_.groups[d] + index;
    }
    return group > 0 ? std::optional(group) : std::nullopt;
}

/// All groups but the first, or as many as the budget allows, evenly spread, with the last one.
std::vector<std::uint64_t> Engine::choose_groups(std::uint64_t first_events) const {
    const std::uint64_t count = geometry_.group_count();
    const std::uint64_t left = options_.most_events - std::min(options_.most_events, events_);
    const std::uint64_t fit = std::min(count - 1, left / std::max<std::uint64_t>(first_events, 1));
    std::vector<std::uint64_t> groups;
    for (std::uint64_t i = 1; i <= fit; ++i)
        groups.push_back(static_cast<std::uint64_t>(static_cast<long double>(count - 1) * i / fit));
    return groups;
}

bool Engine::run_group(std::uint64_t group) {
    group_ = group;
    group_id_ = geometry_.group_id(group);
    interval_ = 0;
    for (const PrivateMark& mark : marks_)
        std::memset(private_unset_.data() + (mark.begin - stacks_begin_), 0, mark.bytes);
    marks_.clear();
    for (std::uint32_t i = 0; i < geometry_.items; ++i) {
        items_[i] = {};
        std::byte* const top = stacks_.data() + kBelowStacksBytes + (i + 1) * kStackBytes;
        items_[i].context = context::make_fcontext(top, kStackBytes, &Engine::start_item);
    }
    for (const auto& observer : observers_) observer->begin_group(*this);
    std::vector<std::uint32_t> order(geometry_.items);
    std::iota(order.begin(), order.end(), 0);
    while (true) {
        if (options_.order_seed) std::shuffle(order.begin(), order.end(), random_);
        for (const std::uint32_t item : order) {
            if (items_[item].state == ItemState::Ready) resume(item);
            if (is_stopped_) return false;
        }
        if (meet_in_sub_groups()) continue;
        if (std::ranges::none_of(items_, [](const Item& i) { return i.state == ItemState::Waiting; })) break;
        meet(0, geometry_.items, false);
    }
    for (const auto& observer : observers_) observer->end_group(*this);
    ++observed_groups_;
    return true;
}

void Engine::start_item(context::transfer_t from) {
    auto* const engine = static_cast<Engine*>(from.data);
    engine->scheduler_ = from.fctx;
    (*engine->entry_)();
    engine->leave(ItemState::Done);
}

void Engine::resume(std::uint32_t item) {
    item_ = item;
    local_id_ = geometry_.local_id(item);
    in_item_ = true;
    items_[item].context = context::jump_fcontext(items_[item].context, this).fctx;
    in_item_ = false;
}

void Engine::leave(ItemState state) {
    settle();
    items_[item_].state = state;
    scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
}

void Engine::stop_item() {
    leave(ItemState::Stopped);
    throw ContractError("a stopped work-item was resumed");
}

void Engine::wait_at(Meeting meeting, bool of_sub_group, const void* pc) {
    count_event(pc);
    Item& item = items_[item_];
    item.meeting = meeting;
    item.of_sub_group = of_sub_group;
    item.site = site_of(pc);
    leave(ItemState::Waiting);
}

bool Engine::meet_in_sub_groups() {
    bool any = false;
    for (std::uint32_t first = 0; first < geometry_.items; first += geometry_.sub_group) {
        const std::uint32_t last = std::min(first + geometry_.sub_group, geometry_.items);
        const bool waits = std::any_of(items_.begin() + first, items_.begin() + last, [](const Item& item) {
            return item.state == ItemState::Waiting && item.of_sub_group;
        });
        if (waits) meet(first, last, true);
        any = any || waits;
    }
    return any;
}

void Engine::meet(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    find_divergence(first, last, of_sub_group);
    std::uint32_t flags = 0;
    bool barrier = false;
    bool copies_done = false;
    bool gathers = false;
    std::uint32_t site = 0;
    for (std::uint32_t i = first; i < last; ++i) {
        Item& item = items_[i];
        if (item.state != ItemState::Waiting || item.of_sub_group != of_sub_group) continue;
        barrier = barrier || item.meeting == Meeting::Barrier;
        if (item.meeting == Meeting::Barrier) flags |= item.flags;
        copies_done = copies_done || item.meeting == Meeting::Wait;
        gathers = gathers || item.meeting == Meeting::Gather;
        if (item.meeting == Meeting::Copy) site = item.site;
        item.state = ItemState::Ready;
    }
    if (copy_) perform_copy(*std::exchange(copy_, std::nullopt), site);
    if (gathers) gather(first, last, of_sub_group);
    if (copies_done)
        for (const auto& observer : observers_) observer->copies_done(*this);
    if (!barrier) return;
    ++barriers_;
    ++interval_;
    for (const auto& observer : observers_)
        observer->barrier(*this, (flags & kLocalFence) != 0, (flags & kGlobalFence) != 0);
}

/// All work-items must wait at the same place.
void Engine::find_divergence(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    static constexpr const char* kFunctions[] = {"barrier", "async_work_group_copy", "wait_group_events",
                                                 "a function of the whole group"};
    std::optional<std::uint32_t> one;
    std::optional<std::uint32_t> other;
    double waiting = 0;
    for (std::uint32_t i = first; i < last; ++i) {
        const Item& item = items_[i];
        if (item.state == ItemState::Stopped) return;  // it was stopped here, its absence means nothing
        const bool waits = item.state == ItemState::Waiting && item.of_sub_group == of_sub_group;
        if (waits && !one) one = i;
        if (waits && item.site == items_[*one].site)
            ++waiting;
        else if (!other)
            other = i;
    }
    if (!one || !other) return;
    const Item& absent = items_[*other];
    report({.code = FindingCode::DivergentBarrier,
            .place = place_name(items_[*one].site),
            .numbers = {{"waiting", waiting}, {"items", static_cast<double>(last - first)}},
            .texts = {{"function", kFunctions[static_cast<std::size_t>(items_[*one].meeting)]},
                      {"item", item_name(*one)},
                      {"other_item", item_name(*other)},
                      {"other_place", absent.state == ItemState::Waiting ? place_name(absent.site) : ""}}});
}

void Engine::perform_copy(const Copy& copy, std::uint32_t site) {
    const auto element = [&](std::uintptr_t address, Access access) {
        const std::uint32_t region = memory_.find(address);
        if (region == Memory::kNone ||
            address - memory_[region].begin + copy.element_bytes > memory_[region].bytes) {
            item_ = kGroupItem;
            outside(address, copy.element_bytes, access, site);
            return memory_.find_near(address) != Memory::kNone;
        }
        tell({.item = kGroupItem,
              .site = site,
              .region = region,
              .access = access,
              .bytes = static_cast<std::uint32_t>(copy.element_bytes),
              .offset = address - memory_[region].begin});
        return true;
    };
    for (std::uint64_t i = 0; i < copy.elements; ++i) {
        const std::uintptr_t to = copy.to + i * copy.to_stride * copy.element_bytes;
        const std::uintptr_t from = copy.from + i * copy.from_stride * copy.element_bytes;
        if (!element(from, Access::Read) || !element(to, Access::Write)) return;
        std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), copy.element_bytes);
        settle();
    }
}

/// Two buffers in turn: a work-item that runs ahead to the next gathering leaves this one to the others.
void Engine::gather(std::uint32_t first, std::uint32_t last, bool of_sub_group) {
    Gathered& place = gathered_[{of_sub_group, first}];
    std::vector<std::byte>& all = place.all[place.turn++ % 2];
    std::uint64_t bytes = 0;
    for (std::uint32_t i = first; i < last; ++i)
        if (items_[i].meeting == Meeting::Gather) bytes = std::max(bytes, items_[i].value_bytes);
    all.assign((last - first) * bytes, std::byte{0});
    for (std::uint32_t i = first; i < last; ++i) {
        Item& item = items_[i];
        if (item.meeting != Meeting::Gather || item.value_bytes != bytes) continue;
        std::memcpy(all.data() + (i - first) * bytes, item.value, bytes);
        item.value = all.data();
    }
}

void Engine::look() {
    next_look_ = events_ + kEventsBetweenLooks;
    const bool too_long = Clock::now() >= deadline_;
    if (!in_item_ || (!too_long && events_ <= kEndlessFactor * options_.most_events)) return;
    if (observed_groups_ == 0)
        remarks_.push_back(
            {.code = FindingCode::XrayEndless,
             .subject = kernel_,
             .place = name_of(debug_.place_of(last_pc_)),
             .numbers = {{"events", static_cast<double>(events_)}, {"seconds", options_.most_ms / 1000}},
             .texts = {{"item", item_name(item_)}}});
    is_stopped_ = true;
    stop_item();
}

std::uint32_t Engine::site_of(const void* pc) {
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(pc) - debug_.base();
    std::uint32_t& known = site_of_offset_[std::min<std::uint64_t>(offset, site_of_offset_.size() - 1)];
    if (known == 0) {
        sites_.push_back({pc, debug_.place_of(pc)});
        region_of_site_.push_back(Memory::kNone);
        known = static_cast<std::uint32_t>(sites_.size());
    }
    return known - 1;
}

void Engine::tell(const AccessEvent& event) {
    for (const auto& observer : observers_) observer->access(*this, event);
}

void Engine::settle() {
    if (holds_) {
        holds_ = false;
        tell(held_);
    }
    if (doubt_) {
        std::memset(private_unset_.data() + (doubt_->address - stacks_begin_), 0, doubt_->bytes);  // once
        report(std::exchange(doubt_, std::nullopt)->finding);
    }
    if (must_settle_) {
        must_settle_ = false;
        for (const auto& observer : observers_) observer->settle(*this);
    }
}

void Engine::on_access(std::uintptr_t address, std::uint64_t bytes, Access access, const void* pc) {
    count_event(pc);
    if (is_on_stack(address)) return on_private(address, bytes, access, pc);
    const std::uint32_t site = site_of(pc);
    std::uint32_t region = region_of_site_[site];
    if (region == Memory::kNone || !memory_[region].holds(address)) {
        region = memory_.find(address);
        if (region != Memory::kNone) region_of_site_[site] = region;
    }
    if (region == Memory::kNone || address - memory_[region].begin + bytes > memory_[region].bytes) {
        settle();
        return outside(address, bytes, access, site);
    }
    AccessEvent event{.item = item_,
                      .site = site,
                      .region = region,
                      .access = access,
                      .bytes = static_cast<std::uint32_t>(bytes),
                      .offset = address - memory_[region].begin};
    if (holds_ && access == Access::Write && held_.region == region && held_.offset == event.offset &&
        held_.bytes == bytes && held_.item == item_ && sites_[held_.site].place == sites_[site].place) {
        held_.is_part = true;
        event.is_part = true;
    }
    if (holds_ || must_settle_) settle();
    if (access == Access::Read && bytes > memory_[region].granule_bytes && bytes > 4) {
        held_ = event;
        holds_ = true;
        return;
    }
    tell(event);
}

void Engine::on_private(std::uintptr_t address, std::uint64_t bytes, Access access, const void* pc) {
    if (marks_.empty()) return;
    std::byte* const flags = private_unset_.data() + (address - stacks_begin_);
    // The store of a component, as in v.x = 1, reads the whole vector first.
    if (doubt_ && access == Access::Write && doubt_->address == address && doubt_->bytes == bytes)
        doubt_.reset();
    settle();
    if (access == Access::Write) {
        std::memset(flags, 0, bytes);
        return;
    }
    if (std::any_of(flags, flags + bytes, [](std::byte flag) { return flag == std::byte{0}; })) return;
    const auto mark =
        std::ranges::find_if(marks_, [&](const PrivateMark& m) { return address - m.begin < m.bytes; });
    if (mark == marks_.end()) return;
    doubt_ = Doubt{address,
                   bytes,
                   {.code = FindingCode::UnsetRead,
                    .subject = mark->name,
                    .place = name_of(debug_.place_of(pc)),
                    .texts = {{"space", "private"}, {"item", item_name(item_)}}}};
    if (bytes <= 4) settle();
    must_settle_ = must_settle_ || doubt_.has_value();
}

void Engine::on_private_unset(std::uintptr_t address, std::uint64_t bytes, bool ones, std::uintptr_t frame,
                              const void* pc) {
    if (!is_on_stack(address)) return;
    // The compiler fills floating-point variables with ones, all others with 0xAA. What a person's own
    // initializer fills like that has another type.
    const PrivateVariable* const variable = debug_.find_private(pc, address, frame);
    if (variable == nullptr) return;
    const std::string& type = variable->type.name;
    const bool is_floating =
        type.starts_with("float") || type.starts_with("double") || type.starts_with("half");
    if (is_floating != ones) return;
    std::memset(private_unset_.data() + (address - stacks_begin_), 1, bytes);
    const auto known = std::ranges::find_if(
        marks_, [&](const PrivateMark& m) { return m.begin == address && m.bytes == bytes; });
    if (known == marks_.end()) marks_.push_back({address, bytes, variable->name});
}

void Engine::outside(std::uintptr_t address, std::uint64_t bytes, Access access, std::uint32_t site) {
    for (const auto& [scope, place] : gathered_)
        for (const std::vector<std::byte>& all : place.all)
            if (address - reinterpret_cast<std::uintptr_t>(all.data()) < all.size()) return;
    const std::uint32_t near_by = memory_.find_near(address);
    if (near_by == Memory::kNone && debug_.holds(address)) return;  // a constant that has no name
    // What is accessed here most often tells better which array was meant.
    std::uint32_t region = item_ == kGroupItem ? Memory::kNone : region_of_site_[site];
    if (region == Memory::kNone) region = near_by;
    if (address < kNullBytes) region = Memory::kNone;
    Finding finding{.place = place_name(site),
                    .texts = {{"access", kwb::xray::name_of(access)}, {"item", item_name(item_)}}};
    if (region == Memory::kNone) {
        finding.code = FindingCode::NullAccess;
        finding.numbers = {{"is_null", address < kNullBytes ? 1.0 : 0.0}};
    } else {
        const Region& near = memory_[region];
        const auto distance =
            static_cast<std::int64_t>(address + (address >= near.begin ? bytes - 1 : 0) - near.begin);
        const auto size = static_cast<std::int64_t>(near.element_bytes);
        const std::int64_t element = distance >= 0 ? distance / size : -((size - 1 - distance) / size);
        finding.subject = near.name;
        finding.numbers = {{"elements", static_cast<double>(near.elements())}};
        if (near.space == AddressSpace::Global || near.is_dynamic) {
            finding.code = FindingCode::OutsideBuffer;
            finding.numbers.push_back({"element", static_cast<double>(element)});
        } else {
            finding.code = FindingCode::OutsideArray;
            finding.texts.push_back({"index", std::to_string(element)});
            std::string type = near.type;
            for (const std::uint64_t extent : near.extents) type += "[" + std::to_string(extent) + "]";
            finding.texts.push_back({"type", type});
            finding.texts.push_back({"space", to_string(near.space)});
        }
    }
    report(std::move(finding));
    if (near_by == Memory::kNone && in_item_) stop_item();
}

void Engine::on_block(std::uint32_t* guard, const void* pc, std::uintptr_t frame) {
    count_event(pc);
    const bool is_full = frame < stacks_begin_ + item_ * kStackBytes + kSpareStackBytes;
    if (*guard >= block_sites_.size()) block_sites_.resize(*guard + 1, UINT32_MAX);
    std::uint32_t& site = block_sites_[*guard];
    // Some block is first reached by the innermost of nested calls, where the recursion ends.
    if ((site == UINT32_MAX || is_full) && find_recursion(pc, frame) && is_full) stop_item();
    if (is_full) {
        remarks_.push_back({.code = FindingCode::XrayNotObserved,
                            .texts = {{"sentence", "a work-item needs more than " +
                                                       format_bytes(kStackBytes - kSpareStackBytes) +
                                                       " of private memory"}}});
        is_stopped_ = true;
        stop_item();
    }
    if (site == UINT32_MAX) site = site_of(pc);
    if (holds_ || must_settle_) settle();
    for (const auto& observer : observers_) observer->block(*this, site, item_);
}

/// Looks for the function around `pc` among those that have called it.
/// @param frame  of the hook: the frame pointers of its callers form a list
bool Engine::find_recursion(const void* pc, std::uintptr_t frame) {
    constexpr int kMostCallers = 1000;
    const std::optional<std::size_t> inner = debug_.function_of(pc);
    frame = *reinterpret_cast<const std::uintptr_t*>(frame);
    for (int i = 0; inner && i < kMostCallers && is_on_stack(frame) && is_on_stack(frame + 15); ++i) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
        const auto* const caller = reinterpret_cast<const void*>(words[1]);
        if (debug_.function_of(caller) == inner) {
            report({.code = FindingCode::Recursion,
                    .subject = debug_.name_of_function(*inner),
                    .place = name_of(debug_.place_of(caller)),
                    .texts = {{"item", item_name(item_)}}});
            return true;
        }
        if (words[0] <= frame) return false;
        frame = words[0];
    }
    return false;
}

void Engine::on_barrier(std::uint32_t flags, bool of_sub_group, const void* pc) {
    items_[item_].flags = flags;
    wait_at(Meeting::Barrier, of_sub_group, pc);
}

void Engine::on_fence() {
    settle();
    for (const auto& observer : observers_) observer->fence(*this, item_);
}

void Engine::on_copy(const Copy& copy, const void* pc) {
    copy_ = copy;
    wait_at(Meeting::Copy, false, pc);
}

void Engine::on_wait(const void* pc) {
    wait_at(Meeting::Wait, false, pc);
}

const void* Engine::on_gather(const void* value, std::uint64_t bytes, bool of_sub_group, const void* pc) {
    items_[item_].value = value;
    items_[item_].value_bytes = bytes;
    wait_at(Meeting::Gather, of_sub_group, pc);
    return items_[item_].value;
}

void Engine::on_undefined(Finding finding, const XrayPlace& place, bool stop) {
    settle();
    const XrayPlace own = debug_.place_of(place.file, place.line, place.column);
    finding.place = name_of(own);
    if (finding.subject.empty() && own.file.empty()) finding.subject = word_at(own.line, own.column);
    finding.texts.push_back({"item", item_name(item_)});
    report(std::move(finding));
    if (stop) stop_item();
}

/// The processor would end the process.
void Engine::on_misaligned(std::uintptr_t address, std::uint64_t needed, const std::string& type,
                           const XrayPlace& place) {
    const std::uint32_t region = memory_.find(address);
    const bool is_known = region != Memory::kNone;
    const std::uint64_t offset = is_known ? address - memory_[region].begin : address;
    on_undefined(
        {.code = FindingCode::Misaligned,
         .subject = is_known ? element_name(memory_[region], offset) : "",
         .numbers = {{"bytes", static_cast<double>(offset)}, {"needed_bytes", static_cast<double>(needed)}},
         .texts = {{"type", type}}},
        place, true);
}

std::uint64_t Engine::global_id(unsigned d) const {
    return d < 3 ? group_id_[d] * geometry_.local[d] + local_id_[d] : 0;
}

std::uint32_t Engine::sub_group_items() const {
    const std::uint32_t first = item_ - item_ % geometry_.sub_group;
    return std::min(geometry_.sub_group, geometry_.items - first);
}

std::string Engine::group_name(std::uint64_t group) const {
    return join_ids(geometry_.group_id(group), geometry_.dimensions);
}

std::string Engine::item_name(std::uint32_t item, std::uint64_t group) const {
    const std::array<std::uint64_t, 3> groups = geometry_.group_id(group);
    if (item == kGroupItem) return "group " + group_name(group);
    std::array<std::uint64_t, 3> ids = geometry_.local_id(item);
    for (std::size_t d = 0; d < 3; ++d) ids[d] += groups[d] * geometry_.local[d];
    return join_ids(ids, geometry_.dimensions);
}

std::string Engine::name_of(const XrayPlace& place) const {
    return (place.file.empty() ? file_name_ : place.file) + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.column);
}

/// The name that begins there in the kernel's file; empty if there is none.
std::string Engine::word_at(std::uint32_t line, std::uint32_t column) const {
    if (line == 0 || line > source_lines_.size() || column == 0) return "";
    const std::string& text = source_lines_[line - 1];
    std::string word;
    for (std::size_t i = column - 1; i < text.size(); ++i) {
        if (std::isalnum(static_cast<unsigned char>(text[i])) == 0 && text[i] != '_') break;
        word += text[i];
    }
    return word;
}

void Engine::report(Finding finding) {
    if (undefined_.size() >= kMostFindings) return;
    const std::string base = finding.subject.substr(0, finding.subject.find('['));
    std::string place = finding.place;
    // One access outside an array may be seen twice: by its index, and by its address.
    if (finding.code == FindingCode::OutsideArray) place.resize(place.rfind(':'));
    if (reported_.insert({finding.code, place, finding.text("first_place"), base}).second)
        undefined_.push_back(std::move(finding));
}

Finding Engine::describe_crash(const std::string& signal) const {
    return {.code = FindingCode::XrayCrashed,
            .subject = kernel_,
            .place = name_of(debug_.place_of(last_pc_)),
            .texts = {{"signal", signal}, {"item", item_name(item_)}}};
}

}  // namespace kwb::xray
