// SPDX-License-Identifier: Apache-2.0
#include "task/kept_ceilings.hpp"

#include "base/error.hpp"
#include "store/keyed_file.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, Ceiling& ceiling) {
    constexpr Limits kRate = {
        .least = 1e-6, .most = 1e12, .takes_nan = false, .wanted = "a rate from 0.000001 to 1000000000000"};
    f("value", ceiling.value, kRate);
    f("kernel", ceiling.kernel);
}

template <class Fields>
void describe(Fields& f, KeptCeilings& kept) {
    f("name", kept.name);
    f("driver_version", kept.driver_version);
    f("measured_ms", kept.ceilings.when);
    f("gflops", kept.ceilings.gflops);
    f("gbytes_s", kept.ceilings.gbytes_s);
}

namespace {

using CeilingsFile = KeyedFile<KeptCeilings>;

CeilingsFile ceilings_file(const std::filesystem::path& path) {
    return {path, {"ceilings", "1", false}};
}

}  // namespace

LoadedCeilings load_ceilings(const std::filesystem::path& path) {
    LoadedCeilings loaded;
    const auto note = [&](const std::string& what) {
        loaded.notice = what + ". The ceilings saved there must be measured again";
    };
    CeilingsFile file = ceilings_file(path);
    try {
        for (const auto& [id, kept] : file.read()) loaded.devices.push_back({id, kept});
        if (!file.damage().empty()) note(file.damage().front());
    } catch (const BadInput& refusal) {
        note(refusal.what());
    }
    return loaded;
}

std::optional<std::string> save_ceilings(const std::filesystem::path& path, const DeviceInfo& device,
                                         const Ceilings& ceilings) {
    CeilingsFile file = ceilings_file(path);
    try {
        try {
            file.read();
        } catch (const OtherContent&) {
            file.clear();
        }
        file.put(device.id, {device.name, device.driver_version, ceilings});
        return std::nullopt;
    } catch (const BadInput& refusal) {
        return "the ceilings cannot be saved: " + std::string(refusal.what()) +
               ". They will be lost at the next start";
    }
}

void keep_ceilings(CeilingsByDevice& devices, const DeviceInfo& device, const Ceilings& ceilings) {
    put_named(devices, device.id, KeptCeilings{device.name, device.driver_version, ceilings});
}

const Ceilings* known_ceilings(const CeilingsByDevice& devices, const DeviceInfo& device) {
    const KeptCeilings* kept = find_named(devices, device.id);
    const bool is_same =
        kept != nullptr && kept->name == device.name && kept->driver_version == device.driver_version;
    return is_same ? &kept->ceilings : nullptr;
}

}  // namespace kwb
