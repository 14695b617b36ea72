// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <algorithm>
#include <charconv>

#include "model/error_map.hpp"
#include "report/results_document.hpp"

namespace kwb {
namespace {

/// Limit on the cells per side of a kept map: at most half a megabyte of text for an output of floats.
constexpr std::uint32_t kMostCellsKept = 128;

/// The cells of an error map, as hexadecimal text.
struct Cells {
    std::string bytes;
};

struct KeptMap {
    std::size_t result = 0;
    ErrorMap map;
    Cells cells;
};

struct KeptPicture {
    std::size_t result = 0;
    Picture picture;
};

struct KeptSource {
    std::vector<std::size_t> results;
    SourceTexts files;
};

struct HistoryKeys {
    std::chrono::system_clock::time_point when;
    std::string problem;
    Sizes sizes;
    std::vector<Sizes> steps;
    std::vector<KeptSource> sources;
    std::vector<KeptMap> error_maps;
    std::vector<KeptPicture> pictures;
};

struct RunDocument {
    SchemaVersion version;
    Environment environment;
    std::vector<PlacedEnvironment> other_places;
    std::vector<KernelResult> results;
    HistoryKeys history;
};

}  // namespace

template <>
struct JsonForm<Cells> {
    static Json write(const Cells& cells) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string text;
        for (const char byte : cells.bytes) {
            text += kDigits[static_cast<unsigned char>(byte) >> 4];
            text += kDigits[static_cast<unsigned char>(byte) & 15];
        }
        return text;
    }
    static void read(const JsonPlace& place, Cells& cells) {
        std::string text;
        read_json(place, text);
        cells.bytes.resize(text.size() / 2);
        for (std::size_t i = 0; i < cells.bytes.size(); ++i) {
            unsigned char byte = 0;
            const char* const digits = text.data() + 2 * i;
            if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
                place.refuse("hexadecimal digits");
            cells.bytes[i] = static_cast<char>(byte);
        }
    }
};

namespace {

constexpr const char* kResult = "Index in `results`, from 0.";

template <class Fields>
void describe(Fields& f, KeptMap& kept) {
    f("result", kept.result, kResult);
    describe(f, kept.map);
    f("cells", kept.cells, "As in lib/model/error_map.hpp, in hexadecimal.");
}

std::optional<Flaw> check(const KeptMap& kept) {
    return check(kept.map);
}

template <class Fields>
void describe(Fields& f, KeptPicture& kept) {
    f("result", kept.result, kResult);
    f("picture", kept.picture);
}

template <class Fields>
void describe(Fields& f, KeptSource& source) {
    f("results", source.results, "Indices in `results` of the kernels with these files.");
    f("files", source.files, "Texts by name: the kernel's own file, then those that it includes.");
}

template <class Fields>
void describe(Fields& f, HistoryKeys& keys) {
    f("when_ms", keys.when, "Milliseconds since 1970, UTC.");
    f("problem", keys.problem, "Name of the problem.");
    f("sizes", keys.sizes, "Extents by name; for a sweep, those of its last step.");
    f("steps", keys.steps, "For a sweep: the sizes measured, in order. Each has as many results.");
    f("sources", keys.sources, "Empty: unknown.");
    f("error_maps", keys.error_maps, "Where the wrong elements are.");
    f("pictures", keys.pictures, "Outputs that are pictures.");
}

template <class Fields>
void describe(Fields& f, RunDocument& document) {
    describe_results(f, document);
    f("history", document.history, "What the window shows besides the results.");
}

std::optional<Flaw> check(const RunDocument& document) {
    const HistoryKeys& keys = document.history;
    const std::size_t count = document.results.size();
    const auto is_beyond = [&](std::size_t result) { return result >= count; };
    if (!keys.steps.empty() && count % keys.steps.size() != 0)
        return Flaw{"results", "as many for each step of the sweep"};
    for (const KeptSource& source : keys.sources)
        if (std::ranges::any_of(source.results, is_beyond))
            return Flaw{"history.sources", "sources of one of the results"};
    if (std::ranges::any_of(keys.error_maps, is_beyond, &KeptMap::result))
        return Flaw{"history.error_maps", "maps of one of the results"};
    if (std::ranges::any_of(keys.pictures, is_beyond, &KeptPicture::result))
        return Flaw{"history.pictures", "pictures of one of the results"};
    return std::nullopt;
}

}  // namespace

std::string run_document(const PastRun& run) {
    RunDocument document{
        {}, run.environment, {}, run.results, {run.when, run.problem, run.sizes, run.steps, {}, {}, {}}};
    HistoryKeys& keys = document.history;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const KernelResult& result = run.results[i];
        if (const auto& map = result.error_map) {
            KeptMap kept{i, *map, {}};
            if (std::max(map->rows, map->columns) > kMostCellsKept)
                kept.map = coarsened(*map, kMostCellsKept);
            kept.cells.bytes = cell_bytes(kept.map);
            keys.error_maps.push_back(std::move(kept));
        }
        if (result.picture) keys.pictures.push_back({i, *result.picture});
        if (run.sources.empty()) continue;
        const auto same = std::ranges::find(keys.sources, run.sources[i], &KeptSource::files);
        if (same != keys.sources.end())
            same->results.push_back(i);
        else
            keys.sources.push_back({{i}, run.sources[i]});
    }
    return document_text(document);
}

PastRun parse_run(std::string_view text) {
    auto document = kwb::from_json<RunDocument>(parse_json(text), "run");
    PastRun run;
    HistoryKeys& keys = document.history;
    run.when = keys.when;
    run.environment = std::move(document.environment);
    run.problem = std::move(keys.problem);
    run.sizes = std::move(keys.sizes);
    run.steps = std::move(keys.steps);
    run.results = std::move(document.results);
    for (KeptMap& kept : keys.error_maps) {
        put_cell_bytes(kept.map, kept.cells.bytes);
        run.results[kept.result].error_map = std::move(kept.map);
    }
    for (KeptPicture& kept : keys.pictures) run.results[kept.result].picture = std::move(kept.picture);
    if (!keys.sources.empty()) run.sources.resize(run.results.size());
    for (const KeptSource& source : keys.sources)
        for (const std::size_t result : source.results) run.sources[result] = source.files;
    return run;
}

RunSummary summary_of(const PastRun& run) {
    RunSummary summary{0,  run.when, run.environment.device, run.environment.driver, run.problem, run.sizes,
                       {}, run.steps};
    const std::size_t steps = std::max<std::size_t>(run.steps.size(), 1);
    const std::size_t contestants = run.results.size() / steps;
    for (std::size_t k = 0; k < contestants; ++k) {
        const auto at = [&](std::size_t step) { return &run.results[step * contestants + k]; };
        const KernelResult* shown = at(steps - 1);
        for (std::size_t step = steps; step-- > 0;)
            if (!at(step)->as_expected()) shown = at(step);
        summary.kernels.push_back(
            {shown->kernel, shown->source_sha256, shown->verdict, shown->as_expected(), shown->median_ms});
    }
    return summary;
}

}  // namespace kwb
