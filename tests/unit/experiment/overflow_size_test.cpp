// SPDX-License-Identifier: Apache-2.0
#include "experiment/xray_request.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace kwb;

namespace {

XrayReport report_of(bool overflows) {
    XrayReport report;
    if (overflows) report.undefined = {{.code = FindingCode::SignedOverflow, .place = "12:20"}};
    return report;
}

/// What is found of a kernel whose index overflows from N = `least` on, and which runs at multiples of `tile`
/// only: first_size, clean_size.
std::vector<std::string> found(std::int64_t asked, std::int64_t least, std::int64_t tile = 1) {
    XrayReport report = report_of(true);
    int observations = 0;
    find_overflow_size(report, {{"N", asked}, {"M", asked}},
                       [&](const Sizes& sizes) -> std::optional<XrayReport> {
                           const std::int64_t size = sizes.front().value;
                           if (size % tile != 0) return std::nullopt;
                           ++observations;
                           return report_of(size >= least);
                       });
    CHECK(observations <= 20);
    const Finding& finding = report.undefined.front();
    return {finding.text("first_size"), finding.text("clean_size")};
}

}  // namespace

TEST_CASE("the smallest size at which an index overflows is found") {
    const std::vector<std::string> near = {"1291", "1290"};
    CHECK(found(5000, 1291) == near);
    CHECK(found(1291, 1291) == near);
    CHECK(found(5000, 1) == std::vector<std::string>{"1", ""});
    SUBCASE("among the sizes that the kernel allows") {
        CHECK(found(4096, 1291, 16) == std::vector<std::string>{"1296", "1280"});
        CHECK(found(5120, 1300, 1024) == std::vector<std::string>{"2048", "1024"});
    }
    SUBCASE("nothing is said where no other size was observed") {
        const std::vector<std::string> nothing = {"", ""};
        CHECK(found(1, 1) == nothing);
        CHECK(found(4099, 1291, 4099) == nothing);
    }
}

TEST_CASE("nothing is observed where nothing overflows") {
    XrayReport report = report_of(false);
    find_overflow_size(report, {{"N", 64}}, [](const Sizes&) -> std::optional<XrayReport> {
        FAIL("observed");
        return std::nullopt;
    });
    CHECK(report.undefined.empty());
}
