#include "report/tables.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "report/grid.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr std::size_t kLeastSizeColumns = 4;

/// "21.9 (12.3 ms)", or the verdict.
Cell sweep_cell(const KernelResult& result, const TableOptions& options) {
    if (result.verdict != Verdict::Correct || !result.as_expected()) return verdict_cell(result);
    if (!result.median_ms) return {"-"};
    const std::string time = plain_signs(format_time_ms(*result.median_ms), options);
    return {result.gflops ? format_digits(*result.gflops) + " (" + time + ")" : time};
}

std::string column_label(const KernelResult& result, bool with_device) {
    return contestant_label(result) + (with_device ? " on " + printable(result.device) : "");
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

class Sweep {
public:
    Sweep(const std::vector<KernelResult>& results, const TableOptions& options)
        : results_(results), options_(options), with_device_(has_several_devices(results)) {
        for (const KernelResult& result : results) {
            add_once(sizes_, result.size);
            add_once(labels_, column_label(result, with_device_));
        }
    }

    /// As many tables, one below another, as the width requires.
    std::string render() const {
        std::string text;
        for (std::size_t first = 0; first < labels_.size();) {
            std::size_t last = first + 1;
            while (last < labels_.size() && grid(first, last + 1).width() <= options_.width) ++last;
            text += (first == 0 ? "" : "\n") + grid(first, last).render(options_);
            first = last;
        }
        return text;
    }

private:
    Grid grid(std::size_t first, std::size_t last) const {
        Grid grid;
        grid.add_column("size", Align::Left);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t room = options_.width > kLeastSizeColumns + 10 ? options_.width / 2 : 10;
            grid.add_column(shorten(labels_[i], room, options_.unicode), Align::Right);
        }
        for (const Sizes& size : sizes_) {
            std::vector<Cell> row = {{kwb::to_string(size)}};
            for (std::size_t i = first; i < last; ++i) row.push_back(cell(size, labels_[i]));
            grid.add_row(std::move(row));
        }
        grid.fit_first_column(options_.width, kLeastSizeColumns, options_.unicode);
        return grid;
    }

    Cell cell(const Sizes& size, const std::string& label) const {
        for (const KernelResult& result : results_)
            if (result.size == size && column_label(result, with_device_) == label)
                return sweep_cell(result, options_);
        return {"-"};
    }

    const std::vector<KernelResult>& results_;
    const TableOptions& options_;
    bool with_device_;
    std::vector<Sizes> sizes_;
    std::vector<std::string> labels_;
};

}  // namespace

std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    std::string text = Sweep(results, options).render();
    text += "\n" + paragraph(std::string(trim("Cells: GFLOP/s (median time). " + explain_sizes(results))),
                             options.width);
    for (const std::string& part : {fault_notes(results, options), remarks(results, options)})
        if (!part.empty()) text += "\n" + part;
    return text;
}

}  // namespace kwb
