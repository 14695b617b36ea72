// SPDX-License-Identifier: Apache-2.0
// Tables of the terminal, without those of results.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/xray_words.hpp"
#include "report/notes.hpp"
#include "report/tables.hpp"
#include "report/xray_report.hpp"
#include "report/xray_summary.hpp"
#include "support/sample_xray.hpp"
#include "unit/report/sample.hpp"

// --- sizes of `kwb check` ---

using namespace kwb;

// --- the table of a check ---

namespace {

KernelResult at(KernelResult result, std::int64_t m, std::int64_t n, std::int64_t k) {
    result.size = {{"M", m}, {"N", n}, {"K", k}};
    return result;
}

std::vector<KernelResult> both() {
    return {at(sample::naive(), 1, 7, 3), sample::naive(), at(sample::wrong(), 1, 7, 3), sample::wrong()};
}

}  // namespace

TEST_CASE("a check shows a row for each kernel and size, and tells a fault once") {
    CHECK(check_table(both(), {true, false, 110}) ==
          "kernel                    size         worst error      verdict  first wrong\n"
          "matmul/naive              M=1 N=7 K=3  1.23 % of bound  correct\n"
          "                          512          1.23 % of bound  correct\n"
          "matmul/unguarded TILE=16  M=1 N=7 K=3  not finite       wrong    C[16][0]: expected 12, got nan\n"
          "                          512          not finite       wrong    C[16][0]: expected 12, got nan\n"
          "\n"
          "matmul/naive: 2 of 2 sizes correct\n"
          "matmul/unguarded TILE=16: 0 of 2 sizes correct\n"
          "\n"
          "Worst error: as a share of the error bound, which rounding alone exceeds in fewer than one of "
          "10^9 runs. Above\n"
          "100 % is wrong. Size: a single number applies to every dimension.\n"
          "\n"
          "matmul/unguarded TILE=16 at M=1 N=7 K=3 and 1 more size: wrong\n"
          "  17 elements of C differ from the reference.\n"
          "  first wrong elements:\n"
          "    C[16][0]: expected 12, got nan\n"
          "    C[16][1]: expected -3.5, got 1e+30\n");
}

TEST_CASE("the bound of a declared problem is said to be its tolerance, not rounding's") {
    const std::string text = check_table({sample::naive()}, {true, false, 110}, true);
    CHECK(text.find("Worst error: as a share of the error bound, which is the problem's tolerance. Above 100 "
                    "% is wrong.") != std::string::npos);
}

TEST_CASE("a fault with another announced cause is told apart, with its first size") {
    const auto expecting = [](KernelResult result, const char* why) {
        result.expected = Expectation{{Verdict::Wrong}, why};
        return result;
    };
    const KernelResult guard = expecting(at(sample::wrong(), 17, 16, 16), "the guard");
    const KernelResult loop = expecting(at(sample::wrong(), 16, 16, 32), "the loop");
    const std::string text = check_table({guard, loop, guard}, {true, false, 110, true});
    CHECK(text.find("TILE=16 at M=17 N=16 K=16 and 1 more size: wrong, as expected\n"
                    "  expected to be wrong: the guard\n") != std::string::npos);
    CHECK(text.find("TILE=16 at M=16 N=16 K=32: wrong, as expected\n"
                    "  expected to be wrong: the loop\n") != std::string::npos);
}

TEST_CASE("every line of a check's table fits from 60 columns, verdicts whole") {
    auto results = both();
    results.push_back(sample::rejected());
    for (unsigned width = 60; width <= 140; ++width) {
        const auto lines = table_lines(check_table(results, {width % 2 == 0, width % 3 == 0, width}));
        CAPTURE(width);
        CHECK(widest(lines) <= width);
        const auto has_verdict = [](const std::string& line) {
            return line.find("compile_error") != std::string::npos;
        };
        CHECK(std::any_of(lines.begin(), lines.end(), has_verdict));
    }
}

TEST_CASE("the first wrong element is told in full at every width, the error gives way to it") {
    for (unsigned width = 60; width <= 140; ++width) {
        const std::string text = check_table(both(), {true, false, width});
        const auto lines = table_lines(text);
        std::size_t told = 0;
        for (const std::string& line : lines)
            told += line.find("C[16][0]: expected 12, got nan") != std::string::npos ? 1 : 0;
        CAPTURE(width);
        CHECK(told == 2);
        CHECK((lines[0].find("worst error") == std::string::npos) ==
              (text.find("Worst error:") == std::string::npos));
    }
    CHECK(table_lines(check_table(both(), {true, false, 85})) ==
          std::vector<std::string>{
              "kernel                    size         verdict  first wrong",
              "matmul/naive              M=1 N=7 K=3  correct",
              "                          512          correct",
              "matmul/unguarded TILE=16  M=1 N=7 K=3  wrong    C[16][0]: expected 12, got nan",
              "                          512          wrong    C[16][0]: expected 12, got nan"});
    CHECK(table_lines(check_table(both(), {true, false, 64})) ==
          std::vector<std::string>{"kernel                    size         worst error      verdict",
                                   "matmul/naive              M=1 N=7 K=3  1.23 % of bound  correct",
                                   "                          512          1.23 % of bound  correct",
                                   "matmul/unguarded TILE=16  M=1 N=7 K=3  not finite       wrong",
                                   "    C[16][0]: expected 12, got nan",
                                   "                          512          not finite       wrong",
                                   "    C[16][0]: expected 12, got nan"});
}

TEST_CASE("an error without a bound is a dash, and is not explained") {
    KernelResult result = sample::wrong();
    result.first_wrong[0].got = 13;
    result.max_error_share.reset();
    const std::string missing = check_table({result}, {true, false, 110});
    CHECK(table_lines(missing)[1] ==
          "matmul/unguarded TILE=16  512   -            wrong    C[16][0]: expected 12, got 13");
    CHECK(missing.find("Worst error:") == std::string::npos);
    result.max_error_share = std::numeric_limits<double>::infinity();
    CHECK(check_table({result}, {true, false, 110}) == missing);
}

TEST_CASE("an unwritten element is also shown as \"nothing\" in the table") {
    KernelResult result = sample::wrong();
    result.finding = Finding{.code = FindingCode::NeverWritten};
    const std::string text = check_table({result}, {true, false, 110});
    CHECK(table_lines(text)[1] ==
          "matmul/unguarded TILE=16  512   -            wrong    C[16][0]: expected 12, never written");
    CHECK(text.find("nan") == std::string::npos);
}

TEST_CASE("a reason that repeats at further sizes is told once in the table") {
    const auto lines =
        table_lines(check_table({at(sample::crashed(), 1, 7, 3), sample::crashed()}, {true, false, 140}));
    CHECK(lines[1].ends_with("kernel_crashed  The kernel's process ended with SIGSEGV during the launch."));
    CHECK(lines[2].ends_with("kernel_crashed  as above"));
}

TEST_CASE("a kernel that is wrong where its file says so is as expected") {
    auto results = both();
    results[2].expected = results[3].expected = Expectation{{Verdict::Wrong}, "the edge is not guarded"};
    const std::string text = check_table(results, {true, false, 110});
    CHECK(text.find("0 of 2 sizes correct, all as expected\n") != std::string::npos);
    results[3].expected.reset();
    CHECK(check_table(results, {true, false, 110}).find("0 of 2 sizes correct, 1 not as expected\n") !=
          std::string::npos);
}

TEST_CASE("sizes that were skipped are counted apart, told once and named as above") {
    KernelResult hung = at(sample::crashed(), 1, 7, 3);
    hung.verdict = Verdict::Timeout;
    hung.reason = "it did not finish";
    KernelResult skipped = sample::crashed();
    skipped.verdict = Verdict::Skipped;
    skipped.reason = "not checked, because it hangs";
    const std::string text =
        check_table({hung, skipped, at(skipped, 2, 2, 2), at(skipped, 3, 3, 3)}, {true, false, 110});
    CHECK(text.find("matmul/wild: 0 of 4 sizes correct, 3 skipped\n") != std::string::npos);
    CHECK(occurrences(text, "skipped  not checked, because it hangs") == 1);
    CHECK(occurrences(text, "skipped  as above") == 2);
    CHECK(text.find("matmul/wild at 2 and 2 more sizes: skipped\n  not checked, because it hangs\n") !=
          std::string::npos);
}

TEST_CASE(
    "a check's rows are sorted by size within each kernel, and the first size of a fault is its smallest") {
    const std::vector<std::string> lines = table_lines(check_table(
        {at(sample::naive(), 65, 65, 65), at(sample::naive(), 31, 31, 31), at(sample::naive(), 31, 7, 3),
         at(sample::wrong(), 65, 65, 65), at(sample::wrong(), 9, 9, 9)},
        {true, false, 110}));
    REQUIRE(lines.size() == 6);
    constexpr const char* kSizes[] = {"M=31 N=7 K=3", "31", "65", "9", "65"};
    for (std::size_t i = 0; i < 5; ++i) CHECK(lines[i + 1].find(" " + std::string(kSizes[i]) + " ") == 25);
    CHECK(lines[1].starts_with("matmul/naive"));
    CHECK(lines[4].starts_with("matmul/unguarded"));
}

// --- checks by random vectors ---

TEST_CASE("a check by random vectors tells its chance of missing an error, and which errors that means") {
    const RandomCheck exact{2, 0x1p-34, std::nullopt, 65536};
    CHECK(describe(exact) ==
          "checked by random vectors, because a full reference would take too long: the chance of missing a "
          "wrong element is at most 5.8e-11, and 65536 elements were compared one by one");
    const RandomCheck both{32, 0x1p-32, 0.0213, 196608};
    CHECK(describe(both) ==
          "checked by random vectors, because a full reference would take too long: the chance of missing a "
          "wrong element is at most 2.3e-10 (with random inputs, for an element that is off by more than "
          "0.021), and 196608 elements were compared one by one");
}

TEST_CASE("below a table it is said how results were checked that were not compared in full") {
    KernelResult result;
    result.kernel = "matmul/tiled";
    result.verdict = Verdict::Correct;
    CHECK(below_table("", {result}, {}).empty());
    result.random_check = RandomCheck{32, 0x1p-32, 0.02, 70000};
    CHECK(below_table("", {result}, {}).find("note: matmul/tiled: checked by random vectors") !=
          std::string::npos);
}

// --- the table of a sweep ---

namespace {

KernelResult at(KernelResult result, std::int64_t n) {
    result.size = {{"M", n}, {"N", n}, {"K", n}};
    return result;
}

std::vector<KernelResult> sweep() {
    return {at(sample::naive(), 64), at(sample::tiled(), 64), sample::naive(), sample::tiled()};
}

}  // namespace

TEST_CASE("a sweep has a row for each size and a column for each kernel, and a star at the shortest time") {
    CHECK(table_lines(sweep_table(sweep(), {true, false, 100})) ==
          std::vector<std::string>{"size    matmul/naive  matmul/tiled TILE=16",
                                   "64    21.8 (12.3 ms)       * 111 (2.41 ms)",
                                   "512   21.8 (12.3 ms)       * 111 (2.41 ms)"});
}

TEST_CASE("a sweep of more contestants than sizes has a row for each contestant, with its work-group") {
    KernelResult narrow = sample::naive(), wide = sample::naive();
    narrow.launches.resize(1);
    narrow.launches.front().local = {8, 8};
    wide.launches.resize(1);
    wide.launches.front().local = {32, 8};
    CHECK(table_lines(sweep_table({narrow, wide, sample::wrong()}, {true, false, 100})) ==
          std::vector<std::string>{
              "kernel                                 512", "matmul/naive 8x8          * 21.8 (12.3 ms)",
              "matmul/naive 32x8         * 21.8 (12.3 ms)", "matmul/unguarded TILE=16             wrong"});
}

TEST_CASE("the caption of a sweep names rates only where there are some") {
    CHECK(sweep_table(sweep()).find("Cells: GFLOP/s (median time); *: the shortest of its size.") !=
          std::string::npos);
    KernelResult copy = sample::naive();
    copy.gflops.reset();
    CHECK(sweep_table({copy}).find("Cells: median time; *") != std::string::npos);
}

TEST_CASE("kernels that do not fit side by side follow below") {
    for (unsigned width = 40; width <= 110; ++width) {
        const std::string text = sweep_table(sweep(), {true, false, width});
        const auto lines = split_lines(text.substr(0, text.find("Cells:")));
        CAPTURE(width);
        CHECK(widest(lines) <= width);
        CHECK(occurrences(text, "21.8 (12.3 ms)") == 2);
        CHECK(occurrences(text, "size") >= (width < 60 ? 2u : 1u));
    }
}

TEST_CASE("a fault of a sweep is told below, with its size") {
    const std::vector<KernelResult> results = {at(sample::naive(), 64), sample::wrong()};
    CHECK(sweep_table(results).find("\nmatmul/unguarded TILE=16 at 512: wrong\n") != std::string::npos);
}

// --- devices ---

namespace {

DeviceInfo pocl() {
    DeviceInfo device;
    device.id = "pocl:0";
    device.name = "pthread-Some CPU";
    device.kind = DeviceKind::Cpu;
    device.platform = "Portable Computing Language";
    device.driver_version = "3.1";
    device.opencl_c = "OpenCL C 1.2 PoCL";
    device.compute_units = 2;
    device.max_work_group_size = 4096;
    device.max_work_item_sizes = {4096, 4096, 4096};
    device.local_mem_bytes = 2u << 20;
    device.global_mem_bytes = std::uint64_t{8} << 30;
    device.max_alloc_bytes = std::uint64_t{2} << 30;
    device.max_constant_bytes = 2u << 20;
    device.native_float_width = 16;
    device.has_fp64 = true;
    return device;
}

}  // namespace

TEST_CASE("a device is told id first, each limit with its meaning") {
    CHECK(split_lines(devices_text({{pocl()}, {}}, {true, false, 130})) ==
          std::vector<std::string>{
              "pocl:0  pthread-Some CPU (CPU)",
              "  driver          Portable Computing Language, driver 3.1, OpenCL C 1.2 PoCL",
              "  compute units   2; a run needs at least this many work-groups to keep all of them busy",
              "  work-group      at most 4096 work-items, at most 4096 × 4096 × 4096 per dimension; a kernel "
              "may allow fewer",
              "  local memory    at most 2 MiB shared by the work-items of a work-group; part of ordinary "
              "memory, so no faster than a cache",
              "  global memory   8 GiB, one buffer at most 2 GiB; constant memory 2 MiB",
              "  vectors         16 floats in one instruction; double supported, no half",
              "  images          none",
              "  note            a kernel with more than 1024 work-items in a work-group or more than 48 KiB "
              "of local memory fits this device but",
              "                  may not fit a GPU"});
}

TEST_CASE("a device's isolation is reported if it is known") {
    DeviceInfo device = pocl();
    CHECK(devices_text({{device}, {}}).find("isolation") == std::string::npos);
    device.sandbox = "no files but the driver's, no network (Landlock ABI 4, seccomp)";
    CHECK(devices_text({{device}, {}}, {true, false, 130})
              .find("  isolation       no files but the driver's, no network (Landlock ABI 4, seccomp)\n") !=
          std::string::npos);
}

TEST_CASE("a GPU, or a device within common limits, gets no note about GPUs") {
    DeviceInfo device = pocl();
    device.kind = DeviceKind::Gpu;
    CHECK(devices_text({{device}, {}}).find("may not fit") == std::string::npos);
    device = pocl();
    device.max_work_group_size = 1024;
    device.local_mem_bytes = 48u << 10;
    CHECK(devices_text({{device}, {}}).find("may not fit") == std::string::npos);
    device.local_mem_bytes += 1;
    CHECK(devices_text({{device}, {}}).find("may not fit") != std::string::npos);
}

TEST_CASE("a driver that cannot be used is told with its reason, beside the others") {
    const std::string text =
        devices_text({{pocl()}, {{"/etc/OpenCL/vendors/broken.icd", "It ended with SIGABRT."}}});
    CHECK(text.find("pocl:0") == 0);
    CHECK(
        text.ends_with("unusable driver: /etc/OpenCL/vendors/broken.icd\n"
                       "  It ended with SIGABRT.\n"));
}

TEST_CASE("a driver without a device is one grey line") {
    const DeviceList list = {{pocl()}, {}, {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}, {"b.icd", ""}}};
    CHECK(devices_text(list).ends_with(
        "\n\nClover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine\n"
        "b.icd has no device in this machine\n"));
    CHECK(devices_text(list, {true, true, 100})
              .ends_with("\x1B[2mb.icd has no device in this machine\x1B[0m\n"));
    CHECK(
        describe(IdleDriver{"r.icd", "rusticl"}).ends_with("RUSTICL_ENABLE=llvmpipe turns the CPU into one"));
}

TEST_CASE("without a device the text says how to get one") {
    CHECK(devices_text({}).find("apt install pocl-opencl-icd") != std::string::npos);
}

TEST_CASE("every line about devices fits, in ASCII where asked") {
    for (unsigned width = 50; width <= 130; ++width) {
        const std::string text = devices_text({{pocl()}, {}}, {false, false, width});
        CHECK(widest(split_lines(text)) <= width);
        CHECK(is_ascii(text));
    }
}

// --- X-ray ---

TEST_CASE("totals are those of whole launches, however many work-groups were observed") {
    XrayReport report = test::sample_xray();
    const XrayTotals whole = totals_of(report);
    CHECK(whole.requested_bytes == 4.0 * (256 + 16 * 256 + 256));
    CHECK(whole.sector_bytes == 32.0 * (8 * 4 + 128 * 32 + 8 * 4));
    CHECK(whole.loads == 256 + 16 * 256);
    report.launches[0].groups *= 10;
    const XrayTotals sampled = totals_of(report);
    CHECK(sampled.requested_bytes == whole.requested_bytes);
    CHECK(sampled.barriers == whole.barriers);
}

TEST_CASE("tables say what is estimated, and are silent about what is not known") {
    const auto cell = [](const ObservedKernel& kernel, std::size_t table, const std::string& row,
                         std::size_t column) -> std::string {
        const XrayTable shown = xray_tables(std::vector{kernel}).at(table);
        const auto& names = shown.columns[0].cells;
        const auto at = std::ranges::find(names, row);
        return at == names.end() ? "none"
                                 : shown.columns[column].cells[static_cast<std::size_t>(at - names.begin())];
    };
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    const std::string loads = cell(kernel, 1, "A", 2);
    CHECK(loads.find('~') == std::string::npos);
    for (XrayBuffer& buffer : kernel.report.buffers) buffer.basis = CountBasis::Estimated;
    CHECK(cell(kernel, 1, "A", 2) == "~" + loads);
    CHECK(xray_terms(std::vector{kernel}).find("~: estimated") != std::string::npos);
    for (XrayBuffer& buffer : kernel.report.buffers) buffer.basis = CountBasis::Partial;
    CHECK(cell(kernel, 1, "A", 2) == "-");
    CHECK(cell(kernel, 0, "global traffic, requested", 1) == "-");
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) == "none");
    kernel.is_multiply_adds = true;
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) == "-");
    kernel.report = test::sample_xray();
    CHECK(cell(kernel, 0, "global loads per multiply-add (2 flops)", 1) != "-");
}

TEST_CASE(
    "where work-groups were sampled, the table of buffers and the terms report that counts are scaled") {
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    constexpr const char* kScaled = "scaled to the whole launch";
    const auto says_scaled = [&] {
        const std::vector<ObservedKernel> kernels = {kernel};
        const bool title = xray_tables(kernels).at(1).title.find(kScaled) != std::string::npos;
        CHECK((xray_terms(kernels).find(kScaled) != std::string::npos) == title);
        CHECK((xray_text(kernels, {}).find(kScaled) != std::string::npos) == title);
        return title;
    };
    CHECK(!says_scaled());
    kernel.report.launches[0].groups *= 10;
    CHECK(says_scaled());
}

TEST_CASE("tables of several kernels fit the terminal, each part with the columns that name its rows") {
    std::vector<ObservedKernel> kernels;
    for (const char* label : {"matmul/naive", "matmul/tiled TILE=16", "matmul/register_blocked WM=4 WN=8"})
        kernels.push_back({label, "k.cl", {}, 1e6, 1e3, test::sample_xray()});
    for (unsigned width = 80; width <= 240; ++width) {
        const std::string text = xray_text(kernels, {.width = width});
        const std::size_t end = text.find("Accesses of");
        CAPTURE(width);
        for (const std::string& line : split_lines(text.substr(0, end)))
            CHECK(display_width(line) <= std::max<std::size_t>(width, line.starts_with("Mean") ? 100 : 0));
        for (const ObservedKernel& kernel : kernels) CHECK(text.find(kernel.label) < end);
        if (width == 80 || width == 240) CHECK((occurrences(text, "buffer  memory") > 1) == (width == 80));
    }
}

/// The cell of a table in the row whose first cells are these.
const XrayTable::Column& column_of(const XrayTable& table, std::string_view header) {
    const auto found = std::ranges::find(table.columns, header, &XrayTable::Column::header);
    REQUIRE(found != table.columns.end());
    return *found;
}
std::size_t row_of(const XrayTable& table, const std::vector<std::string>& keys) {
    for (std::size_t row = 0; row < table.columns[0].cells.size(); ++row) {
        std::size_t same = 0;
        while (same < keys.size() && table.columns[same].cells[row] == keys[same]) ++same;
        if (same == keys.size()) return row;
    }
    FAIL("no such row");
    return 0;
}

TEST_CASE("the figures of two kernels stand next to their ratio, and the clearly worse one is marked") {
    ObservedKernel naive = {"naive", "n.cl", {}, 1e6, 1e3, test::sample_xray()};
    naive.is_multiply_adds = true;
    ObservedKernel tiled = naive;
    tiled.label = "tiled";
    for (XraySite& site : tiled.report.sites) site.requested_bytes /= 4, site.sectors /= 4;
    for (XrayBuffer& buffer : tiled.report.buffers)
        if (buffer.name == "A") buffer.loads /= 4;
    const std::vector<XrayTable> tables = xray_tables(std::vector{naive, tiled});
    const XrayTable& totals = tables.at(0);
    const std::size_t traffic = row_of(totals, {"global traffic, requested"});
    CHECK(column_of(totals, "ratio").cells[traffic] == "0.25×");
    CHECK(column_of(totals, "ratio").meaning == "tiled divided by naive.");
    CHECK(column_of(totals, "naive").is_bad(traffic));
    CHECK_FALSE(column_of(totals, "tiled").is_bad(traffic));
    const std::size_t intensity = row_of(totals, {"flops per byte, requested"});
    CHECK(column_of(totals, "ratio").cells[intensity] == "4×");
    CHECK(column_of(totals, "naive").is_bad(intensity));  // few flops per byte are worse
    const std::size_t compulsory = row_of(totals, {"global traffic, compulsory"});
    CHECK(column_of(totals, "ratio").cells[compulsory] == "1×");
    CHECK_FALSE(column_of(totals, "naive").is_bad(compulsory));
    const XrayTable& buffers = tables.at(1);
    const std::size_t loads = row_of(buffers, {"A", "global", "loads"});
    CHECK(column_of(buffers, "ratio").cells[loads] == "0.25×");
    CHECK(column_of(buffers, "naive").is_bad(loads));
    CHECK(xray_terms(std::vector{naive, tiled}).find("Ratio: tiled divided by naive.") != std::string::npos);
    CHECK(xray_terms(std::vector{naive}).find("Ratio") == std::string::npos);
    CHECK(xray_text(std::vector{naive, tiled}, {}).find("ratio") != std::string::npos);
    CHECK(xray_text(std::vector{naive, tiled, naive}, {}).find("ratio") == std::string::npos);
}

TEST_CASE("accesses that fetch twice what they use are marked, broadcasts are not; counts have separators") {
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    XraySite& site = kernel.report.sites.at(0);
    site.executions = 1234567;
    site.sub_group_accesses = 10;
    site.requested_bytes = 10 * 32 * 4;  // four sectors for each access
    const auto wastes = [&](std::uint64_t sectors, std::uint64_t bytes) {
        site.sectors = sectors;
        site.requested_bytes = bytes;
        const std::vector<XrayTable> tables = xray_tables(std::vector{kernel});
        const auto table = std::ranges::find(tables, "Accesses of k", &XrayTable::title);
        REQUIRE(table != tables.end());
        const std::size_t row = row_of(*table, {place_text(site.place)});
        CHECK(column_of(*table, "executions").cells[row] == "1,234,567");
        CHECK(column_of(*table, "used").is_bad(row) == column_of(*table, "sectors").is_bad(row));
        return column_of(*table, "sectors").is_bad(row);
    };
    CHECK(wastes(80, 10 * 32 * 4));
    CHECK_FALSE(wastes(40, 10 * 32 * 4));
    CHECK_FALSE(wastes(10, 10 * 4));  // one address
}

TEST_CASE("a column without figures is left out, and each other one of accesses has a meaning") {
    ObservedKernel kernel = {"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()};
    for (XraySite& site : kernel.report.sites) site.ideal_bank_cycles = 0;
    const std::vector<XrayTable> tables = xray_tables(std::vector{kernel});
    const auto table = std::ranges::find(tables, "Accesses of k", &XrayTable::title);
    REQUIRE(table != tables.end());
    CHECK(std::ranges::find(table->columns, "banks", &XrayTable::Column::header) == table->columns.end());
    for (std::size_t i = table->keys; i < table->columns.size(); ++i)
        CHECK_FALSE(table->columns[i].meaning.empty());
}

TEST_CASE("an element counts as a load, also where a vector loads several") {
    XrayReport report = test::sample_xray();
    for (XraySite& site : report.sites) site.width_bytes = 16, site.requested_bytes *= 4;
    CHECK(totals_of(report).loads == 4 * (256 + 16 * 256));
}

TEST_CASE("a place is read back from its text") {
    for (const XrayPlace& place :
         {XrayPlace{"", 49, 19}, XrayPlace{"tile.h", 3, 5}, XrayPlace{"a:b/c 1.h", 3, 5}})
        CHECK(place_from(place_text(place)) == place);
    CHECK(place_from("nowhere").line == 0);
    CHECK(place_from("").line == 0);
}

TEST_CASE("rows of accesses have the places that a click goes to") {
    const std::vector<ObservedKernel> kernels = {{"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()}};
    const std::vector<XrayTable> tables = xray_tables(kernels);
    const auto table = std::ranges::find(tables, "Accesses of k", &XrayTable::title);
    REQUIRE(table != tables.end());
    REQUIRE(table->places.size() == table->columns.front().cells.size());
    CHECK(table->places[0] == XrayPlace{"", 9, 10});
    CHECK(tables.front().places.empty());
}
