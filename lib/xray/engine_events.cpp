// SPDX-License-Identifier: Apache-2.0
// Turns the compiled kernel's actions into events for the observers and into findings.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "ipc/runner_messages.hpp"
#include "model/xray_words.hpp"
#include "xray/array_names.hpp"
#include "xray/engine.hpp"

namespace kwb::xray {
namespace {

constexpr std::size_t kMostFindings = 64;
/// Out-of-bounds accesses per place whose integers are compared: each takes a microsecond.
constexpr std::uint32_t kMostCompared = 10'000;
constexpr std::uintptr_t kNullBytes = 1 << 16;

std::string join_ids(const std::array<std::uint64_t, 3>& ids, std::uint32_t dimensions) {
    std::vector<std::string> words;
    for (std::uint32_t d = 0; d < dimensions; ++d) words.push_back(std::to_string(ids[d]));
    return dimensions == 1 ? words.front() : "(" + join(words, ", ") + ")";
}

}  // namespace

std::uint32_t Engine::site_of(const void* pc) {
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(pc) - debug_.base();
    std::uint32_t& known = site_of_offset_[std::min<std::uint64_t>(offset, site_of_offset_.size() - 1)];
    if (known == 0) {
        const XrayPlace place = debug_.place_of(pc);
        sites_.push_back({pc, place, is_assignment(place)});
        region_of_site_.push_back(Memory::kNone);
        known = static_cast<std::uint32_t>(sites_.size());
    }
    return known - 1;
}

void Engine::tell(const AccessEvent& event) {
    for (const auto& observer : observers_) observer->access(*this, event);
}

void Engine::settle() {
    if (is_storing_) return;
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
    if (is_atomic(access)) yield_before_first_atomic();
    count_event(pc);
    const bool is_private = is_on_stack(address);
    if (is_private) {
        if (is_recording()) recorder_->access(*this, item_, site_of(pc), address, bytes, access, true);
        return on_private(address, bytes, access, pc);
    }
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
    note_access(access, site, address, bytes);
    if (is_recording()) recorder_->access(*this, item_, site, address, bytes, access, false);
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
    // The store of a component, as in v[i].x = 1, reads the whole vector first.
    if (access == Access::Read && (bytes > memory_[region].number_bytes || sites_[site].is_assignment)) {
        held_ = event;
        holds_ = true;
        return;
    }
    tell(event);
}

void Engine::on_compare_exchange(std::uintptr_t address, std::uint64_t bytes, std::uint64_t expected,
                                 const void* pc) {
    yield_before_first_atomic();
    const std::uint32_t region = memory_.find(address);
    const bool is_known = region != Memory::kNone && memory_[region].holds(address + bytes - 1);
    // Little-endian: the first bytes are the number in the type of the memory.
    const bool fails = is_known && std::memcmp(reinterpret_cast<const void*>(address), &expected, bytes) != 0;
    on_access(address, bytes, fails ? Access::FailedExchange : Access::CompareExchange, pc);
}

/// Blocks inside the function are reported between this call and its store, so settle() waits for the store.
void Engine::on_built_in_store(std::uintptr_t address, std::uint64_t bytes, const void* pc) {
    on_access(address, bytes, Access::Write, pc);
    is_storing_ = true;
    if (is_recording()) recorder_->await_store();
}

void Engine::on_private(std::uintptr_t address, std::uint64_t bytes, Access access, const void* pc) {
    if (marks_.empty()) return;
    std::byte* const flags = private_unset_.data() + (address - stacks_begin_);
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
    const XrayPlace place = debug_.place_of(pc);
    doubt_ = Doubt{address,
                   bytes,
                   {.code = FindingCode::UnsetRead,
                    .subject = mark->name,
                    .place = name_of(place),
                    .texts = {{"space", "private"}, {"item", item_name(item_)}}}};
    if (bytes <= mark->number_bytes && !is_assignment(place)) settle();
    must_settle_ = must_settle_ || doubt_.has_value();
}

void Engine::on_private_unset(std::uintptr_t address, std::uint64_t bytes, bool ones, FramePlace frame,
                              const void* pc) {
    if (!is_on_stack(address)) return;
    // The compiler fills floating-point variables with ones, all others with 0xAA. A variable that the
    // source initialises with that pattern has another type.
    const auto [variable, info] = debug_.find_private(pc, address, frame);
    if (variable == nullptr) return;
    const std::string& type = info->name;
    const bool is_floating =
        type.starts_with("float") || type.starts_with("double") || type.starts_with("half");
    if (is_floating != ones) return;
    std::memset(private_unset_.data() + (address - stacks_begin_), 1, bytes);
    const auto known = std::ranges::find_if(
        marks_, [&](const PrivateMark& m) { return m.begin == address && m.bytes == bytes; });
    if (known == marks_.end()) marks_.push_back({address, bytes, info->number_bytes, variable->name});
}

void Engine::outside(std::uintptr_t address, std::uint64_t bytes, Access access, std::uint32_t site) {
    for (const auto& [scope, place] : gathered_)
        for (const std::vector<std::byte>& all : place.all)
            if (address - reinterpret_cast<std::uintptr_t>(all.data()) < all.size()) return;
    const std::uint32_t near_by = memory_.find_near(address);
    // The array that is accessed here most often is the more likely target.
    std::uint32_t region = item_ == kGroupItem ? Memory::kNone : region_of_site_[site];
    const bool is_local = region != Memory::kNone && memory_[region].space == AddressSpace::Local;
    if (near_by == Memory::kNone && debug_.holds(address) && !is_local) return;  // a constant without a name
    if (region == Memory::kNone) region = near_by;
    if (address < kNullBytes) region = Memory::kNone;
    Finding finding{.place = place_name(site),
                    .texts = {{"access", access_name(access)}, {"item", item_name(item_)}}};
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
            finding.texts.push_back({"index", near.extents.size() > 1 ? indices_of(element, near.extents)
                                                                      : std::to_string(element)});
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
    // The innermost of nested calls, where the recursion ends, is the first to reach some block.
    if ((site == UINT32_MAX || is_full) && find_recursion(pc, frame) && is_full) stop_item();
    if (is_full) {
        remarks_.push_back(
            {.code = FindingCode::XrayNotObserved,
             .texts = {{"sentence", "a work-item exceeds " + format_bytes(kStackBytes - kSpareStackBytes) +
                                        " of private memory"}}});
        is_stopped_ = true;
        stop_item();
    }
    if (site == UINT32_MAX) site = block_site_of(pc);
    if (holds_ || must_settle_) settle();
    if (site == kNoBlock) return;
    // A hook's own frame begins with the caller's base and the return address.
    if (is_recording())
        recorder_->block(*this, item_, site, {*reinterpret_cast<const std::uintptr_t*>(frame), frame + 16});
    for (const auto& observer : observers_)
        observer->block(*this, site, item_, *reinterpret_cast<const std::uintptr_t*>(frame));
}

/// @return  kNoBlock: it is part of a built-in function
std::uint32_t Engine::block_site_of(const void* pc) {
    const std::optional<std::size_t> function = debug_.function_of(pc);
    if (!function) return kNoBlock;
    const std::uint32_t site = site_of(pc);
    // The first block that runs is the function's first one.
    sites_[site].is_called =
        entered_.insert(*function).second && debug_.name_of_function(*function) != kernel_;
    return site;
}

/// Searches the callers of the function around `pc` for the same function.
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

void Engine::on_undefined(Finding finding, const XrayPlace& place, bool stop) {
    settle();
    const XrayPlace own = debug_.place_of(place.file, place.line, place.column);
    finding.place = name_of(own);
    if (finding.code == FindingCode::OutsideArray)
        name_outside_array(finding, own);
    else if (finding.subject.empty() && own.file.empty())
        finding.subject = word_at(own.line, own.column);
    finding.texts.push_back({"item", item_name(item_)});
    report(std::move(finding));
    if (stop) stop_item();
}

/// The CPU would end the process.
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

std::string Engine::group_name(std::uint64_t group) const {
    return join_ids(geometry_.group_id(group), geometry_.dimensions);
}

std::string Engine::item_name(std::uint32_t item, std::uint64_t group) const {
    if (item == kGroupItem) return "group " + group_name(group);
    return join_ids(geometry_.global_id(item, group), geometry_.dimensions);
}

std::string Engine::name_of(const XrayPlace& place) const {
    return (place.file.empty() ? file_name_ : place.file) + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.column);
}

bool Engine::is_assignment(const XrayPlace& place) const {
    if (!place.file.empty() || place.line == 0 || place.line > source_lines_.size() || place.column == 0)
        return false;
    const std::string& text = source_lines_[place.line - 1];
    return place.column <= text.size() && text[place.column - 1] == '=';
}

/// The array whose index is outside, from its type and the source.
void Engine::name_outside_array(Finding& finding, const XrayPlace& place) const {
    const auto type = std::ranges::find(finding.texts, "type", &Named<std::string>::name);
    if (type == finding.texts.end()) return;
    std::string_view text;
    if (place.file.empty() && place.line > 0 && place.line <= source_lines_.size() && place.column > 0) {
        text = source_lines_[place.line - 1];
        text.remove_prefix(std::min<std::size_t>(place.column - 1, text.size()));
    }
    ArrayName array = name_array(text, type->value, debug_);
    finding.subject = std::move(array.name);
    type->value = std::move(array.type);
}

/// The name that begins at the place in the kernel's file; empty if there is none.
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

std::optional<std::size_t> Engine::report(Finding finding) {
    const std::string base = finding.subject.substr(0, finding.subject.find('['));
    std::string place = finding.place;
    // One out-of-bounds access may be detected twice: by its index, and by its address.
    if (finding.code == FindingCode::OutsideArray) place.resize(place.rfind(':'));
    const Reported what{finding.code, place, finding.text("first_place"), base,
                        finding.number("between_groups") > 0};
    const bool is_new = undefined_.size() < kMostFindings && reported_.insert(what).second;
    if (finding.code == FindingCode::OutsideArray || finding.code == FindingCode::OutsideBuffer)
        compare_integers(what, is_new);
    if (!is_new) return std::nullopt;
    undefined_.push_back(std::move(finding));
    return undefined_.size() - 1;
}

void Engine::compare_integers(const Reported& what, bool is_new) {
    if (is_new) {
        same_each_time_[what] = {undefined_.size(), integers_of_caller(), 0};
        return;
    }
    const auto known = same_each_time_.find(what);
    if (known == same_each_time_.end() || known->second.integers.empty() ||
        ++known->second.times > kMostCompared)
        return;
    const NamedList<double> now = integers_of_caller();
    std::erase_if(known->second.integers, [&](const Named<double>& integer) {
        const double* const value = find_named(now, integer.name);
        return value == nullptr || *value != integer.value;
    });
}

/// For the kernel's function that has called a hook: the frame pointers of its callers form a list.
NamedList<double> Engine::integers_of_caller() const {
    NamedList<double> integers;
    auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const std::uintptr_t* words = nullptr;  // the caller's frame, and its return address
    for (;; frame = words[0]) {
        if (!is_on_stack(frame) || !is_on_stack(frame + 15)) return integers;
        words = reinterpret_cast<const std::uintptr_t*>(frame);
        if (debug_.holds(words[1])) break;
        if (words[0] <= frame) return integers;
    }
    for (const FrameVariable* const integer : debug_.integers_at(reinterpret_cast<const void*>(words[1]))) {
        const ValueType& type = debug_.types()[integer->type];
        const std::uintptr_t from = integer->is_above_stack_pointer ? frame + 16 : words[0];
        const std::uintptr_t address = from + static_cast<std::uintptr_t>(integer->offset);
        if (!is_on_stack(address) || !is_on_stack(address + type.bytes - 1)) continue;
        std::uint64_t bits = 0;  // little-endian
        std::memcpy(&bits, reinterpret_cast<const void*>(address), type.bytes);
        const auto unused = static_cast<unsigned>(64 - 8 * type.bytes);
        const double value = type.kind == ValueKind::Signed
                                 ? static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused)
                                 : static_cast<double>(bits);
        std::erase_if(integers, [&](const Named<double>& outer) { return outer.name == integer->name; });
        integers.push_back({integer->name, value});
    }
    return integers;
}

std::vector<Finding> Engine::take_undefined() {
    for (const auto& [what, same] : same_each_time_)
        for (const auto& [name, value] : same.integers)
            undefined_[same.finding].numbers.push_back({kVariablePrefix + name, value});
    same_each_time_.clear();
    for (Finding& finding : undefined_) {
        if (finding.code != FindingCode::DataRace || finding.number("between_groups") > 0) continue;
        const XrayPlace one = place_from(finding.place);
        const XrayPlace other = place_from(finding.text("first_place"));
        for (const std::uint32_t site : barrier_sites_) {
            const XrayPlace& barrier = sites_[site].place;
            const std::string file = barrier.file.empty() ? file_name_ : barrier.file;
            if (file != one.file || file != other.file || barrier.line <= std::min(one.line, other.line) ||
                barrier.line >= std::max(one.line, other.line))
                continue;
            finding.texts.push_back({"barrier", name_of(barrier)});
            break;
        }
    }
    return std::move(undefined_);
}

void Engine::on_division_by_zero(const void* instruction) {
    if (!debug_.holds(reinterpret_cast<std::uintptr_t>(instruction))) return;
    const XrayPlace place = debug_.place_of(static_cast<const std::byte*>(instruction) + 1);
    report({.code = FindingCode::DivisionByZero,
            .place = name_of(place),
            .texts = {{"item", item_name(item_)}}});
}

Finding Engine::describe_crash(const std::string& signal) const {
    return {.code = FindingCode::XrayCrashed,
            .subject = kernel_,
            .place = name_of(debug_.place_of(last_pc_)),
            .texts = {{"signal", signal}, {"item", item_name(item_)}}};
}

}  // namespace kwb::xray
