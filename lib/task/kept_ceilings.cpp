// SPDX-License-Identifier: Apache-2.0
#include "task/kept_ceilings.hpp"

#include <chrono>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/toml_record.hpp"
#include "base/user_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostDevices = 64;
constexpr std::uintmax_t kMostCeilingsBytes = 1u << 20;
constexpr Limits kRate = {
    .least = 1e-6, .most = 1e12, .takes_nan = false, .wanted = "a rate from 0.000001 to 1000000000000"};

/// One device in the file.
struct CeilingsRecord {
    std::string name, driver_version;
    std::int64_t measured_s = 0;  ///< seconds since 1970, UTC
    std::optional<double> gflops, gbytes_s;
    std::string gflops_kernel, gbytes_s_kernel;
};

template <class Fields>
void describe(Fields& f, CeilingsRecord& c) {
    f("name", c.name);
    f("driver_version", c.driver_version);
    f("measured_s", c.measured_s, between(0, 1e11));
    f("gflops", c.gflops, kRate);
    f("gflops_kernel", c.gflops_kernel);
    f("gbytes_s", c.gbytes_s, kRate);
    f("gbytes_s_kernel", c.gbytes_s_kernel);
}

struct CeilingsFile {
    NamedList<CeilingsRecord> devices;
};

template <class Fields>
void describe(Fields& f, CeilingsFile& file) {
    f("devices", file.devices, items(0, kMostDevices));
}

Ceilings from_record(const CeilingsRecord& record) {
    Ceilings ceilings;
    if (record.gflops) ceilings.gflops = Ceiling{*record.gflops, {}, record.gflops_kernel, {}};
    if (record.gbytes_s) ceilings.gbytes_s = Ceiling{*record.gbytes_s, {}, record.gbytes_s_kernel, {}};
    ceilings.when = std::chrono::system_clock::time_point(std::chrono::seconds(record.measured_s));
    return ceilings;
}

CeilingsRecord to_record(const KeptCeilings& kept) {
    CeilingsRecord record{kept.name, kept.driver_version, 0, {}, {}, "", ""};
    const Ceilings& ceilings = kept.ceilings;
    if (ceilings.when)
        record.measured_s =
            std::chrono::duration_cast<std::chrono::seconds>(ceilings.when->time_since_epoch()).count();
    if (ceilings.gflops) {
        record.gflops = ceilings.gflops->value;
        record.gflops_kernel = ceilings.gflops->kernel;
    }
    if (ceilings.gbytes_s) {
        record.gbytes_s = ceilings.gbytes_s->value;
        record.gbytes_s_kernel = ceilings.gbytes_s->kernel;
    }
    return record;
}

}  // namespace

LoadedCeilings load_ceilings(const fs::path& path) {
    std::error_code error;
    if (fs::status(path, error).type() == fs::file_type::not_found) return {};
    LoadedCeilings loaded;
    const auto note = [&](const std::string& what) {
        loaded.notice = what + "; the ceilings saved there must be measured again";
    };
    try {
        std::vector<std::string> findings;
        CeilingsFile file;
        const toml::table root = parse_toml(read_file(path, kMostCeilingsBytes));
        TomlRecordReader reader(root, findings);
        describe(reader, file);
        for (const auto& [id, record] : file.devices)
            loaded.devices.push_back({id, {record.name, record.driver_version, from_record(record)}});
        if (!findings.empty()) note(path.string() + ":" + findings.front());
    } catch (const BadInput& refusal) {
        note(refusal.what());
    } catch (const toml::parse_error& fault) {
        note(fmt::format("{}:{}: invalid TOML: {}", path.string(), fault.source().begin.line,
                         fault.description()));
    }
    return loaded;
}

std::optional<std::string> save_ceilings(const fs::path& path, const DeviceInfo& device,
                                         const Ceilings& ceilings) {
    // Another window may have measured another device meanwhile.
    CeilingsByDevice devices = load_ceilings(path).devices;
    keep_ceilings(devices, device, ceilings);
    CeilingsFile file;
    for (const auto& [id, kept] : devices) file.devices.push_back({id, to_record(kept)});
    TomlRecordWriter writer("# Ceilings measured by kwb, by device. This file may be deleted.\n");
    describe(writer, file);
    try {
        make_private_folders(path.parent_path());
        write_file(path, writer.text());
        return std::nullopt;
    } catch (const BadInput& refusal) {
        return "the ceilings cannot be saved: " + std::string(refusal.what()) +
               "; they will be lost at the next start";
    }
}

void keep_ceilings(CeilingsByDevice& devices, const DeviceInfo& device, const Ceilings& ceilings) {
    std::erase_if(devices, [&](const auto& kept) { return kept.name == device.id; });
    // The latest first, so that the oldest is dropped if there are too many.
    devices.insert(devices.begin(), {device.id, {device.name, device.driver_version, ceilings}});
}

const Ceilings* known_ceilings(const CeilingsByDevice& devices, const DeviceInfo& device) {
    const KeptCeilings* kept = find_named(devices, device.id);
    const bool is_same =
        kept != nullptr && kept->name == device.name && kept->driver_version == device.driver_version;
    return is_same ? &kept->ceilings : nullptr;
}

}  // namespace kwb
