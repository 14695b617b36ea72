// SPDX-License-Identifier: Apache-2.0
// Where two recorded work-groups part: of two versions of a kernel, or of two kernels of the same problem.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "debug/moves.hpp"
#include "debug/player.hpp"
#include "debug/stored_places.hpp"

namespace kwb::debug {

/// A store that the other recording does not have, or that has another value there.
struct Difference {
    std::string name;         ///< as text_of(): "sum", "a[0][14]"
    std::string here, there;  ///< values; empty: it is not stored there once more
    std::string here_line, there_line;
    std::uint32_t item = 0;  ///< local linear id, or kGroupCopy
    /// Before the line that stores it; if this recording lacks the store, before the last line up to which
    /// the work-item has stored the same in both.
    Moment moment;
    std::uint64_t event = 0;  ///< its number in the group, by which they are in order
};

struct Comparison {
    std::string with;           ///< the other kernel, for the person
    bool is_part = false;       ///< at least one of the groups does more than was compared
    bool has_variables = true;  ///< false: only what both store last to elements of buffers was compared
    std::size_t compared = 0;   ///< variables and elements that both store to
    std::vector<Difference> differences;  ///< in the order of their events
};

/// If both have the same launch and most variables have the same names, what each work-item stores to each
/// variable is compared, in order, and so are elements of local and global memory; each is listed once, with
/// its first difference. Else only what both store last to each element of a buffer counts.
/// Floating-point numbers that differ by no more than rounding count as equal.
/// Records that are too long are compared part by part, up to the first parts that differ.
class Comparer {
public:
    enum class Side : std::size_t { Ours, Theirs };

    /// With the first part of both.
    Comparer(const RecordedSide& ours, const RecordedSide& theirs, std::string with);

    /// Whose next part is needed; nullopt: no more is.
    std::optional<Side> next() const;
    /// @param part  the next one of that side
    void add(Side side, const RecordedSide& part);
    const std::vector<Difference>& differences() const { return found_.differences; }
    /// What was found up to here.
    Comparison take();

private:
    /// A store that the other side has not come to.
    struct Waiting {
        std::uint64_t number = 0;  ///< of the event in the group
        Moment moment = {};        ///< of ours
        std::uint32_t site = 0, item = 0, type = kUnknownType;
        std::string bytes = {};
        std::shared_ptr<const Player> part = {};  ///< without events: what `site` and `type` refer to
    };
    struct Place {
        std::string shown;
        std::array<std::vector<Waiting>, 2> waiting;  ///< by side; of one only, unless the last ones count
        std::size_t passed = 0;                       ///< of those, which the other side has stored, too
        std::array<bool, 2> is_stored{};              ///< by side
        bool is_compared = false;                     ///< both store values of the same type
        bool is_decided = false;                      ///< it differs, or cannot be compared
        std::optional<std::pair<Moment, std::uint64_t>> last_same;  ///< of ours, with its number
    };
    struct Same {
        std::uint32_t item = 0;
        std::uint64_t there = 0, here = 0;  ///< numbers of events
        Moment moment;

        friend bool operator<(const Same& a, const Same& b) {
            return std::tie(a.item, a.there) < std::tie(b.item, b.there);
        }
    };

    static Side other_of(Side side) { return side == Side::Ours ? Side::Theirs : Side::Ours; }
    static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
    RecordedSide side_of(Side side, const Waiting& store) const {
        return {*store.part, buffers_[index(side)]};
    }

    Waiting waiting_of(Side side, const RecordedSide& part, const StoredPart& store) const;
    /// The next store of a place in order. @return  false: the place is decided
    bool add_store(const StoredPlace& key, Place& place, Side side, Waiting store);
    /// Whether values of both can be compared.
    bool can_compare(Place& place, Side side, const Waiting& store, const Waiting& other);
    bool are_same(Side side, const Waiting& store, const Waiting& other) const;
    void note_same(Place& place, Side side, const Waiting& store, const Waiting& other);
    /// What one of them lacks is known once it is over.
    void find_lacking();
    void compare_last();
    /// @param here, there  nullptr: it is stored only by the other one
    void differ(const StoredPlace& key, Place& place, const Waiting* here, const Waiting* there);
    /// Where there is no store here: after the last one before it that both have.
    void put_after_same(Difference& difference, const Place& place, const Waiting& there);
    /// Of earlier parts, only the last one of each work-item.
    void forget_same();

    std::array<std::vector<std::string>, 2> buffers_;
    std::array<std::shared_ptr<const Player>, 2> parts_;  ///< the last ones, without events
    std::array<bool, 2> is_over_{};
    std::array<std::size_t, 2> waits_{};  ///< stores
    std::map<StoredPlace, Place> places_;
    std::vector<Same> same_;
    std::vector<std::uint64_t> first_steps_;  ///< of ours, by work-item: numbers
    bool is_same_launch_ = false;
    Comparison found_;
};

/// The next one behind a moment. @param whose  WorkItem: only of that work-item
const Difference* next_difference(const Comparison& comparison, const Player& ours, Moment moment,
                                  Whose whose);

/// A line for each difference at this moment: "sum differs from matmul/tiled in work-item (0, 0): line 53
/// stores -33, there line 53 stores -21."
std::string differences_text(const Comparison& comparison, Moment moment, const Recording& ours);
/// Of a comparison without differences.
std::string no_difference_text(const Comparison& comparison);

}  // namespace kwb::debug
