// SPDX-License-Identifier: Apache-2.0
// The kwb-xray processes of a judge, the answers that it keeps, and a single observation.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "judge/processes/failure.hpp"
#include "judge/reference/reference.hpp"
#include "judge/xray/xray_bench.hpp"
#include "judge/xray/xray_cache.hpp"

namespace kwb {

/// The processes, one for each kernel text, kept from request to request.
class XrayRoom {
public:
    XrayRoom(DevicePool& pool, XrayCache cache) : pool_(pool), cache_(std::move(cache)) {}

    /// @param key  key_of_bench()
    XrayBench& bench(const std::string& key, const std::string& compiler);
    bool has_bench(const std::string& key) const { return benches_.contains(key); }
    void end(const std::string& key) { benches_.erase(key); }
    /// Ends those of other kernels.
    void end_others(const std::vector<std::string>& keys);

    const XrayCache& cache() const { return cache_; }

private:
    DevicePool& pool_;
    XrayCache cache_;
    std::map<std::string, std::unique_ptr<XrayBench>> benches_;
};

/// Of the kernel's text; foreign kernels have one for each contestant.
std::string key_of_bench(const KernelPlan& plan, std::size_t contestant);

/// What a plan's source shows, from the cache or read by the compiler.
/// @param failure  receives why it could not be read
std::optional<SourceFacts> facts_of_source(const KernelPlan& plan, const XrayCache& cache,
                                           const std::string& compiler, std::string& failure);

/// A job without contents, and the name of its kept answer.
struct PreparedXray {
    XrayJob job;
    std::string key;  ///< empty: it is not kept, as everything of foreign kernels
};

/// As make_xray_job(), with the compiler.
/// @return  a sentence if it cannot be observed
std::variant<PreparedXray, std::string> prepare_xray(const XraySubject& subject,
                                                     const std::vector<FunctionInfo>& functions,
                                                     const XrayOptions& options, bool download,
                                                     const std::string& compiler);

/// Why nothing was observed, as a remark.
Finding not_observed(std::string sentence);
Finding not_observed(const Failure& failure);

/// Observes a kernel once and waits for the answer, or takes the one that was kept.
/// @param download  also return the outputs
/// @return  a report whose remarks state so if there is none
Observed observe_once(XrayRoom& room, const XraySubject& subject, const XrayOptions& options,
                      const Checkpoint& checkpoint, bool download = false);

}  // namespace kwb
