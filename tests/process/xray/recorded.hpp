// SPDX-License-Identifier: Apache-2.0
// A group that kwb-xray records, with the debugger on it.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "debug/console.hpp"
#include "process/xray/xray_client.hpp"

namespace kwb::test {

/// A recorded group, and the debugger on it.
struct Recorded {
    Recorded(const std::string& source, XrayJob job, std::vector<std::uint64_t> group = {0})
        : player(record(prepared(source, job, std::move(group)))),
          console(player, {{"", source}}, "kernel.cl") {
        console.moves().turn_with([this, job](const debug::WantedPart& wanted) {
            player.show(record(part_of(job, wanted)));
            ++turns;
            return "";
        });
    }

    static const XrayJob& prepared(const std::string& source, XrayJob& job,
                                   std::vector<std::uint64_t> group) {
        job.source = source;
        job.xray.aim = XrayAim::Record;
        job.xray.trace_group = std::move(group);
        return job;
    }

    static XrayJob part_of(XrayJob job, const debug::WantedPart& wanted) {
        job.xray.record_from = wanted.event;
        job.xray.record_item = wanted.item;
        return job;
    }

    std::shared_ptr<const Recording> record(const XrayJob& job) {
        XrayAnswer answer = process.observe(job);
        INFO(answer.failure);
        REQUIRE(answer.recording);
        return std::make_shared<const Recording>(std::move(*answer.recording));
    }

    std::string operator()(const std::string& command) { return console.run(command).text; }

    XrayProcess process;
    debug::Player player;
    debug::Console console;
    int turns = 0;  ///< to other parts of the record
};

inline Argument whole(std::int32_t value) {
    ValueArgument argument;
    argument.bytes.resize(sizeof value);
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    return argument;
}

inline Launch launch_over(const std::string& kernel, std::vector<std::uint64_t> global,
                          std::vector<std::uint64_t> local) {
    Launch launch;
    launch.kernel = kernel;
    launch.global = std::move(global);
    launch.local = std::move(local);
    return launch;
}

inline constexpr ElementType kInt{Scalar::Int32, 1};

inline constexpr const char* kProduct =
    "kernel void product(global const int* A, global const int* B, global int* C, int n) {\n"  // 1
    "    local int a[4][4], b[4][4];\n"                                                        // 2
    "    int x = get_local_id(0), y = get_local_id(1), sum = 0;\n"                             // 3
    "    for (int k0 = 0; k0 < n; k0 += 4) {\n"                                                // 4
    "        a[y][x] = A[get_global_id(1) * n + k0 + x];\n"                                    // 5
    "        b[y][x] = B[(k0 + y) * n + get_global_id(0)];\n"                                  // 6
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                  // 7
    "        for (int k = 0; k < 4; ++k)\n"                                                    // 8
    "            sum += a[y][k] * b[k][x];\n"                                                  // 9
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                  // 10
    "    }\n"                                                                                  // 11
    "    C[get_global_id(1) * n + get_global_id(0)] = sum;\n"                                  // 12
    "}\n";

inline XrayJob product_job(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
    XrayJob job;
    Launch launch = launch_over("product", {8, 8}, {4, 4});
    launch.arguments = {job.buffer("A", kInt, 64, a), job.buffer("B", kInt, 64, b),
                        job.buffer("C", kInt, 64, std::nullopt), whole(8)};
    job.launches = {launch};
    return job;
}

inline std::vector<std::int32_t> numbers(int from) {
    std::vector<std::int32_t> all;
    for (int i = 0; i < 64; ++i) all.push_back((i * 7 + from) % 19 - 9);
    return all;
}

}  // namespace kwb::test
