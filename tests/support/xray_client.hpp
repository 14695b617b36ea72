// SPDX-License-Identifier: Apache-2.0
// A real kwb-xray process, for tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "patience.hpp"

namespace kwb::test {

/// What to observe. Buffers and values are bound in the order of the kernel's parameters.
struct XrayJob {
    std::string source;
    std::string kernel;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;
    std::vector<Argument> arguments;
    std::vector<ObserveRequest::Buffer> buffers;
    std::vector<std::string> contents;  ///< one for each buffer; empty: nobody has set it
    std::string options = {};
    XrayOptions xray = {.most_ms = kPatienceMs};
    std::vector<Launch> more_launches = {};

    /// Adds a buffer argument. @return  *this
    XrayJob& buffer(const std::string& name, ElementType type, std::uint64_t elements, bool is_set = true);
    XrayJob& ints(const std::string& name, const std::vector<std::int32_t>& values);
    XrayJob& value(std::int32_t number);
    XrayJob& local_memory(std::uint64_t bytes);
};

struct XrayAnswer {
    std::optional<XrayReport> report;
    std::string failure;                 ///< empty if there is a report
    std::vector<std::string> downloads;  ///< the contents of all buffers after the run

    /// The names of the findings, sorted, each once: "data_race"
    std::vector<std::string> codes() const;
    /// The first finding of a code; an empty one if there is none.
    Finding find(FindingCode code) const;
};

/// @param program  path of kwb-xray
XrayAnswer observe(const std::string& program, const XrayJob& job);

}  // namespace kwb::test
