// SPDX-License-Identifier: Apache-2.0
// The client of a real kwb-xray.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "model/element.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {

/// What to observe.
struct XrayJob {
    std::string source;
    std::string options = {};
    std::vector<Launch> launches = {};
    std::vector<ObserveRequest::Buffer> buffers = {};
    std::vector<std::string> contents = {};  ///< one for each buffer; empty: nobody has set it
    XrayOptions xray = {};

    /// Adds a buffer. @param values  repeated until it is full; nullopt: nobody has set it
    Argument buffer(const std::string& name, ElementType type, std::uint64_t elements,
                    const std::optional<std::vector<std::int32_t>>& values);
};

struct XrayAnswer {
    std::optional<XrayReport> report;
    std::optional<Recording> recording;
    std::string failure;                 ///< empty if there is a report
    std::vector<std::string> downloads;  ///< the contents of all buffers after the run
};

/// A real kwb-xray, which observes one job after another.
class XrayProcess {
public:
    XrayProcess();
    XrayAnswer observe(const XrayJob& job);

private:
    ObserveRequest request_for(const XrayJob& job);

    TempFolder folder_;
    Arena arena_ = Arena::create();
    std::optional<Child> child_;
};

/// With a process of its own.
XrayAnswer observe(const XrayJob& job);

}  // namespace kwb::test
