// SPDX-License-Identifier: Apache-2.0
// The trace of a work-group as steps that can be played, and which work-item touches which element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/xray.hpp"

namespace kwb {

/// A cell of a buffer's map: XrayBuffer::rows * XrayBuffer::columns cells, row-major.
struct XrayCell {
    std::uint32_t buffer = 0;  ///< index in XrayReport::buffers
    std::uint32_t cell = 0;

    friend auto operator<=>(const XrayCell&, const XrayCell&) = default;
};

/// A work-item's use of a cell.
struct CellUse {
    std::uint32_t item = 0;  ///< local linear id
    bool loads = false;
    bool stores = false;
};

/// X-ray runs the work-items one after the other; here all take a step together, as the lanes of a GPU do. A
/// step is one access of the source: of those that come next, the one nearest to the source's beginning, by
/// all work-items that it is next for. (The rule by which work-items meet again after a branch: S. Collange,
/// "Stack-less SIMT reconvergence at low cost", 2011.) A barrier ends all steps before it.
class XrayPlay {
public:
    struct Step {
        std::uint32_t site = 0;      ///< index in XrayReport::sites
        std::uint32_t interval = 0;  ///< barriers passed before it
        bool is_alarming = false;    ///< an access of a data race, or a read of uninitialised memory
    };

    XrayPlay() = default;
    /// Everything is computed here, so that a frame costs nothing.
    explicit XrayPlay(const XrayReport& report);

    std::span<const Step> steps() const { return steps_; }
    /// Work-items that take part in a step, ascending.
    std::span<const std::uint32_t> items_of(std::size_t step) const { return items_.of(step); }
    /// Cells that they touch, each once, ascending; all in the buffer of the step's site.
    std::span<const std::uint32_t> cells_of(std::size_t step) const { return cells_.of(step); }
    /// Cells of a data race, or read uninitialised, in this step.
    std::span<const std::uint32_t> alarming_cells_of(std::size_t step) const {
        return alarming_cells_.of(step);
    }
    /// Work-items that touch them.
    std::span<const std::uint32_t> alarming_items_of(std::size_t step) const {
        return alarming_items_.of(step);
    }
    /// The first step of each interval between barriers, ascending; the first is 0.
    std::span<const std::uint32_t> interval_begins() const { return begins_; }
    /// Steps that are alarming, ascending.
    std::span<const std::uint32_t> alarms() const { return alarms_; }

    /// The work-items of the traced group that load or store a cell, ascending.
    std::span<const CellUse> users_of(XrayCell cell) const;
    /// The cells that a work-item touches, ascending.
    std::vector<XrayCell> cells_of_item(std::uint32_t item) const;

private:
    /// Lists of numbers, one after the other.
    struct Lists {
        std::vector<std::uint32_t> begins = {0};
        std::vector<std::uint32_t> all;
        std::span<const std::uint32_t> of(std::size_t list) const {
            return std::span(all).subspan(begins[list], begins[list + 1] - begins[list]);
        }
        void end() { begins.push_back(static_cast<std::uint32_t>(all.size())); }
    };

    void find_steps(const XrayReport& report, const std::vector<bool>& alarming);
    void add_step(const XrayReport& report, std::uint32_t site, std::span<const std::uint32_t> accesses,
                  const std::vector<bool>& alarming);
    void find_users(const XrayReport& report);

    std::vector<Step> steps_;
    Lists items_, cells_, alarming_cells_, alarming_items_;
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint32_t> alarms_;
    std::vector<XrayCell> used_;              ///< ascending
    std::vector<std::uint32_t> used_begins_;  ///< for each of `used_`, in `users_`; one more at the end
    std::vector<CellUse> users_;
};

/// The cell of an element.
/// @param buffer  with a map
std::uint32_t cell_of_element(const XrayBuffer& buffer, std::uint64_t element);

/// The elements of a cell: rows and columns of elements, [first, last).
struct CellExtent {
    std::uint64_t first_row = 0, last_row = 0;
    std::uint64_t first_column = 0, last_column = 0;
};
CellExtent extent_of_cell(const XrayBuffer& buffer, std::uint32_t cell);

}  // namespace kwb
