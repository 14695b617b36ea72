// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/xray_cache.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/record_json.hpp"
#include "base/sha256.hpp"
#include "base/user_folders.hpp"
#include "judge/xray/plausible_report.hpp"
#include "model/launch_fields.hpp"
#include "model/xray_fields.hpp"

namespace kwb {
namespace fs = std::filesystem;

template <class Fields>
void describe(Fields& f, KeptReport& kept) {
    f("report", kept.report);
    f("other_order", kept.other_order);
    f("is_right", kept.is_right);
}

void describe(auto& f, SourceFacts& facts) {
    f("functions", facts.functions);
    f("suspicions", facts.suspicions);
    f("loops", facts.loops);
}

namespace source {

void describe(auto& f, InclusiveLoop& loop) {
    f("place", loop.place);
    f("variable", loop.variable);
    f("bound", loop.bound);
    f("condition", loop.condition);
    f("instead", loop.instead);
    f("accesses", loop.accesses);
}

}  // namespace source

XrayCache::XrayCache(fs::path folder, const std::vector<fs::path>& makers) : folder_(std::move(folder)) {
    for (const fs::path& maker : makers) {
        std::error_code error;
        makers_ += ' ' + std::to_string(fs::last_write_time(maker, error).time_since_epoch().count());
        makers_ += ' ' + std::to_string(fs::file_size(maker, error));
    }
}

fs::path XrayCache::file_of(const std::string& key) const {
    return folder_ / (sha256_hex(key + makers_) + ".json");
}

template <class T>
std::optional<T> XrayCache::read(const std::string& key) const {
    if (key.empty()) return std::nullopt;
    try {
        const fs::path file = file_of(key);
        std::error_code error;
        if (!fs::is_regular_file(file, error) || fs::file_size(file) > kMostBytes) return std::nullopt;
        auto kept = kwb::from_json<T>(parse_json(read_file(file)), "kept answer");
        fs::last_write_time(file, fs::file_time_type::clock::now(), error);  // it was of use
        return kept;
    } catch (const std::exception&) {  // damaged: it is asked for again
        return std::nullopt;
    }
}

template <class T>
void XrayCache::write(const std::string& key, const T& kept) const {
    if (folder_.empty() || key.empty()) return;
    try {
        const std::string text = dump_json(write_json(kept));
        if (text.size() > kMostBytes) return;
        make_private_folders(folder_);
        write_file(file_of(key), text);
        std::vector<std::pair<fs::file_time_type, fs::path>> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
            files.emplace_back(entry.last_write_time(), entry.path());
        if (files.size() <= kMostFiles) return;
        std::ranges::sort(files);
        files.resize(files.size() - kMostFiles / 2);
        std::error_code error;
        for (const auto& [time, path] : files) fs::remove(path, error);
    } catch (const std::exception&) {  // the answer is only not kept
    }
}

std::optional<KeptReport> XrayCache::find(const std::string& key, const ObserveRequest& asked) const {
    auto kept = read<KeptReport>(key);
    try {
        if (kept) require_plausible(kept->report, asked);
    } catch (const std::exception&) {
        kept.reset();
    }
    return kept;
}

void XrayCache::keep(const std::string& key, const KeptReport& kept) const {
    write(key, kept);
}

std::optional<SourceFacts> XrayCache::find_facts(const std::string& key) const {
    return read<SourceFacts>(key);
}

void XrayCache::keep(const std::string& key, const SourceFacts& facts) const {
    write(key, facts);
}

}  // namespace kwb
