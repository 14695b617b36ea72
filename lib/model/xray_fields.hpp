// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of X-ray's reports.
#pragma once

#include "base/record.hpp"
#include "model/plan_fields.hpp"
#include "model/xray.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, XrayElement& element) {
    f("buffer", element.buffer);
    f("element", element.element);
}

template <class Fields>
void describe(Fields& f, XrayOptions& options) {
    f("sub_group", options.sub_group, between(1, 64));
    f("order_seed", options.order_seed);
    f("most_events", options.most_events);
    f("most_ms", options.most_ms, kDuration);
    f("keep_counts", options.keep_counts);
    f("keep_sites", options.keep_sites);
    f("trace_group", options.trace_group, items(1, 3));
    f("trace_launch", options.trace_launch);
    f("aim", options.aim);
    f("record_from", options.record_from);
    f("record_item", options.record_item);
    f("part_events", options.part_events, at_least(8));
    f("stored", options.stored);
}

template <class Fields>
void describe(Fields& f, XrayPlace& place) {
    f.record("xray_place", "A word of the source.");
    f("file", place.file, "An included file, relative to the kernel's folder; empty: the kernel's own file.");
    f("line", place.line, "From 1; 0: unknown.");
    f("column", place.column, "From 1, in bytes; 0: unknown.");
}

template <class Fields>
void describe(Fields& f, XrayBuffer& buffer) {
    f.record("xray_buffer", "A buffer argument, a local array or variable, or a constant of the program.");
    f("name", buffer.name, "Its name in the kernel.");
    f("space", buffer.space, "Its address space.");
    f("type", buffer.type, "Type of an element.");
    f("element_bytes", buffer.element_bytes, between(1, 1 << 20), "Size of an element.");
    f("extents", buffer.extents, items(0, 8), "Elements in each dimension, outermost first.");
    f("is_argument", buffer.is_argument, "Local memory passed by the launch, not declared in the kernel.");
    f("basis", buffer.basis,
      "Where the counts come from: all work-groups were observed (counted); some were, and the others do the "
      "same (scaled); some were, and they differ (estimated); launches are missing (partial).");
    f("loads", buffer.loads,
      "Elements read by all work-items of the whole launches, scaled where only some work-groups were "
      "observed; "
      "of local memory, by those of one work-group, on average.");
    f("stores", buffer.stores, "Elements written, counted likewise; an atomic operation is both.");
    f("elements_loaded", buffer.elements_loaded, "Different elements read.");
    f("elements_stored", buffer.elements_stored, "Different elements written.");
    f("rows", buffer.rows, at_most(kMostXrayCells), "Rows of the map of counts; 0: no map.");
    f("columns", buffer.columns, at_most(kMostXrayCells), "Its columns.");
    f("loads_of_cell", buffer.loads_of_cell,
      "For each cell of the map, row by row: how often its most read element was read.");
    f("stores_of_cell", buffer.stores_of_cell, "Likewise, how often its most written element was written.");
}

inline std::optional<Flaw> check(const XrayBuffer& buffer) {
    const std::size_t cells = std::size_t{buffer.rows} * buffer.columns;
    if (buffer.loads_of_cell.size() != cells || buffer.stores_of_cell.size() != cells)
        return Flaw{"loads_of_cell", "one for each cell"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, XraySite& site) {
    f.record("xray_site",
             "One access in the source, by all work-groups. Between two barriers, the n-th executions of it "
             "by a sub-group's "
             "work-items count as one "
             "access of the sub-group.");
    f("place", site.place, "Its place in the source.");
    f("kind", site.kind, "Kind of access.");
    f("launch", site.launch, "Index in launches.");
    f("buffer", site.buffer, "Index in buffers.");
    f("width_bytes", site.width_bytes, "Bytes that one work-item accesses.");
    f("executions", site.executions, "By work-items.");
    f("sub_group_accesses", site.sub_group_accesses, "By sub-groups.");
    f("requested_bytes", site.requested_bytes, "By all work-items.");
    f("sectors", site.sectors, "Sectors of 32 bytes that the sub-groups touch, summed over their accesses.");
    f("lines", site.lines, "Lines of 128 bytes, likewise.");
    f("bank_cycles", site.bank_cycles,
      "Local memory: cycles for 32 banks of 4 bytes, summed over the accesses of sub-groups.");
    f("ideal_bank_cycles", site.ideal_bank_cycles, "The same without conflicts.");
    f("pattern", site.pattern, "How a sub-group's lanes address memory, most of the time.");
    f("stride_elements", site.stride_elements,
      "Distance between neighbouring lanes if the pattern is strided.");
    f("active_lanes", site.active_lanes, "Summed over the accesses of sub-groups.");
    f("adjacent", site.adjacent,
      "Executions whose address directly follows or precedes the same work-item's previous one: compilers "
      "may merge them.");
    f("same_address", site.same_address,
      "Atomic operations: work-items that access the sub-group's most accessed address, summed over the "
      "accesses of sub-groups; null: another access, or not counted.");
}

template <class Fields>
void describe(Fields& f, XrayLine& line) {
    f.record("xray_line",
             "A line of the source in which basic blocks begin; counts are those of all groups.");
    f("place", line.place, "Its place in the source.");
    f("executions", line.executions, "By work-items.");
    f("sub_group_executions", line.sub_group_executions,
      "By sub-groups, each as often as its busiest work-item.");
    f("lanes", line.lanes,
      "Sum of the sub-groups' sizes over sub_group_executions; executions / lanes is the share of active "
      "lanes.");
}

template <class Fields>
void describe(Fields& f, XrayTrace& trace) {
    f.record("xray_trace",
             "The accesses of one group in the order of execution; the lists are equally long.");
    f("items", trace.items, "Local linear id of the work-item.");
    f("sites", trace.sites, "Index in sites.");
    f("elements", trace.elements, "Index in the site's buffer.");
    f("intervals", trace.intervals, "Barriers that the group had passed.");
    f("is_whole", trace.is_whole, "False: only the first accesses were kept.");
}

inline std::optional<Flaw> check(const XrayTrace& trace) {
    const std::size_t n = trace.items.size();
    if (trace.sites.size() != n || trace.elements.size() != n || trace.intervals.size() != n)
        return Flaw{"items", "as long as the other lists"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, XrayBlocks& blocks) {
    f.record("xray_blocks", "Executions of all basic blocks of a launch: code that always ran in one piece.");
    f("executions", blocks.executions, "By work-items.");
    f("sub_group_executions", blocks.sub_group_executions,
      "By sub-groups, each as often as its busiest work-item.");
    f("lanes", blocks.lanes, "Sum of the sub-groups' sizes over sub_group_executions.");
}

template <class Fields>
void describe(Fields& f, XrayLaunch& launch) {
    f.record("xray_launch", "An observed launch.");
    f("kernel", launch.kernel, "Name of the kernel function.");
    f("global", launch.global, items(1, 3), "Work-items in each dimension.");
    f("local", launch.local, items(1, 3), "Work-items of a group in each dimension.");
    f("groups", launch.groups, "All work-groups.");
    f("observed_groups", launch.observed_groups, "Work-groups that were observed.");
    f("barriers", launch.barriers, "Barriers that all groups passed.");
    f("runs", launch.runs, "How often it ran, with repetitions; null: unknown.");
    f("blocks", launch.blocks, "Its basic blocks; null: not counted.");
}

template <class Fields>
void describe(Fields& f, XrayStore& store) {
    f.record("xray_store", "A work-item that has stored an element.");
    f("launch", store.launch, "Index in launches.");
    f("group", store.group, items(1, 3), "Its work-group.");
    f("item", store.item, "Its linear index in the work-group.");
    f("place", store.place, "The store in the source.");
}

template <class Fields>
void describe(Fields& f, XrayStores& stores) {
    f.record("xray_stores", "Who has stored an element.");
    f("times", stores.times, "How often it was stored.");
    f("first", stores.first, "The first to store it; null: nobody has.");
    f("last", stores.last, "The last.");
}

template <class Fields>
void describe(Fields& f, XrayReport& report) {
    f.record("xray", "X-ray's observations: see docs/xray.md.");
    f("sub_group", report.sub_group, "Work-items of a sub-group.");
    f("launches", report.launches, "In the order in which they run.");
    f("events", report.events, "Observed accesses, barriers and basic blocks.");
    f("compile_ms", report.compile_ms, kDuration, "Time of the compiler.");
    f("run_ms", report.run_ms, kDuration, "Time of the observation.");
    f("undefined", report.undefined, "Undefined behaviour.");
    f("remarks", report.remarks, "Gaps in the observation, and why.");
    f("buffers", report.buffers, "Buffers, local arrays and constants.");
    f("sites", report.sites, "Accesses in the source.");
    f("lines", report.lines, "Lines in which basic blocks begin.");
    f("barriers", report.barriers, "Barriers that observed work-items have reached.");
    f("trace", report.trace, "The accesses of one group.");
    f("stores", report.stores, "Who has stored the element that was asked about.");
}

inline std::optional<Flaw> check(const XrayReport& report) {
    for (const XraySite& site : report.sites)
        if (site.buffer >= report.buffers.size() || site.launch >= report.launches.size())
            return Flaw{"sites", "indices of existing buffers and launches"};
    if (report.trace)
        for (const std::uint32_t site : report.trace->sites)
            if (site >= report.sites.size()) return Flaw{"trace", "indices of existing sites"};
    return std::nullopt;
}

}  // namespace kwb
