// SPDX-License-Identifier: Apache-2.0
// Described records (base/record.hpp) with every field filled: each with a value of its own that is not the
// default and lies within the field's limits.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/device_fields.hpp"
#include "model/gpu_fields.hpp"
#include "model/launch_fields.hpp"
#include "model/request_fields.hpp"

namespace kwb::test {

// What `check` of a record requires of its filled fields.
inline void fit(auto&) {}
inline void fit(XrayBuffer& buffer) {
    buffer.rows = 1;
    buffer.columns = static_cast<std::uint32_t>(buffer.loads_of_cell.size());
}
inline void fit(XrayReport& report) {
    for (std::size_t i = 0; i < report.sites.size(); ++i)
        report.sites[i].buffer = report.sites[i].launch = static_cast<std::uint32_t>(i);
    for (std::uint32_t& site : report.trace->sites) site = 1;
}
inline void fit(RunRequest& request) {
    request.baseline = 1;
}
inline void fit(ErrorMap& map) {
    map.extents->rows += map.rows;
    map.extents->columns += map.columns;
}
inline void fit(Picture& picture) {
    picture.rows = 1;
    picture.columns = static_cast<std::uint32_t>(picture.pixels.size());
}
inline void fit(DeclaredInput& input) {
    input.fill.kind = FillKind::Array;
}
inline void fit(DeclaredInstance& declared) {
    std::vector<BufferSpec>& buffers = declared.instance.buffers;
    buffers[0].access = Access::Read;
    buffers[1].access = Access::Write;
    for (BufferSpec& buffer : buffers) buffer.shape = {2, 3};
    const auto content = [](const BufferSpec& of) {
        return std::make_shared<const std::string>(of.bytes(), 'x');
    };
    declared.inputs.resize(1);
    declared.inputs[0].name = buffers[0].name;
    declared.inputs[0].value.content = content(buffers[0]);
    declared.outputs.resize(1);
    declared.outputs[0].name = buffers[1].name;
    declared.outputs[0].value.expected = content(buffers[1]);
}

class Filler : public Fields<Filler> {
public:
    template <class T>
    void field(const Field& about, T& value) {
        fill(value, about.limits);
    }

    template <class T>
    void fill(T& value, const Limits& limits = {}) {
        if constexpr (HasJsonForm<T>) {
            fill_form(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            value = !value;
        } else if constexpr (std::is_arithmetic_v<T>) {
            value = number(value, limits);
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = "text " + std::to_string(++last_);
        } else if constexpr (NamedEnum<T>) {
            value = static_cast<T>((static_cast<std::size_t>(value) + 1) % kEnumNames<T>.size());
        } else if constexpr (kIsOptional<T>) {
            fill(value.emplace(), limits);
        } else if constexpr (kIsNamedList<T>) {
            value.resize(count(limits));
            for (auto& [name, item] : value) {
                fill(name);
                fill(item, limits.of_item());
            }
        } else if constexpr (kIsList<T>) {
            value.resize(count(limits));
            for (auto& item : value) fill(item, limits.of_item());
        } else if constexpr (kIsPair<T>) {
            fill(value.first, limits);
            fill(value.second, limits);
        } else if constexpr (kIsPlainVariant<T> || kIsRecordVariant<T>) {
            fill_alternative(value, limits);
        } else {
            describe(*this, value);
            fit(value);
        }
    }

private:
    static std::size_t count(const Limits& limits) {
        return std::clamp<std::size_t>(2, limits.fewest_items, limits.most_items);
    }

    /// Without limits that matter, numbers are different and at least 1001.
    template <class Number>
    Number number(Number before, const Limits& limits) {
        const double least =
            std::max(limits.least, static_cast<double>(std::numeric_limits<Number>::lowest()));
        const double most = std::min(limits.most, static_cast<double>(std::numeric_limits<Number>::max()));
        double value = static_cast<double>(++last_);
        if (value > most && std::is_integral_v<Number>) value = least + std::fmod(value, most - least + 1);
        if (value > most) value = least + (most - least) * (0.25 + 0.5 / value);
        if (static_cast<Number>(value) == before) value += value < most ? 1 : -1;
        return static_cast<Number>(value);
    }

    template <class... T>
    void fill_alternative(std::variant<T...>& value, const Limits& limits) {
        std::size_t left = ++last_ % sizeof...(T);
        const auto fill_it = [&]<class One>(std::type_identity<One>) {
            if (left-- == 0) fill(value.template emplace<One>(), limits);
        };
        (fill_it(std::type_identity<T>{}), ...);
    }

    void fill_form(Interval& interval) { fill(interval.low), fill(interval.high); }
    void fill_form(ElementType& type) { type = {Scalar::UInt16, 2}; }
    void fill_form(Sampler& sampler) { sampler = {SamplerFilter::Linear, SamplerAddressing::Repeat, true}; }
    void fill_form(Binding& binding) {
        switch (++last_ % 4) {
            case 0:
                return fill(binding.emplace<BufferName>().name);
            case 1:
                return fill(binding.emplace<VectorValue>());
            case 2:
                return fill(binding.emplace<Sampler>());
            default:
                return fill(binding.emplace<ScalarValue>());
        }
    }
    void fill_form(BufferContent& content) { content = std::make_shared<const std::string>(); }
    void fill_form(std::shared_ptr<const DeclaredInstance>& declared) {
        DeclaredInstance instance;
        fill(instance);
        declared = std::make_shared<const DeclaredInstance>(std::move(instance));
    }
    void fill_form(Contestant& contestant) {
        fill(contestant.kernel.emplace());
        fill(contestant.xray_size.emplace());
    }

    std::uint64_t last_ = 1000;
};

template <class Record>
Record filled() {
    Record record{};
    Filler().fill(record);
    return record;
}

/// The places in `filled` whose value is the same in `empty`.
inline std::vector<std::string> unfilled(const Json& filled, const Json& empty) {
    std::vector<std::string> places;
    const Json leaves = filled.flatten(), before = empty.flatten();
    for (const auto& [place, value] : leaves.items())
        if (place != "/type" && before.contains(place) && before.at(place) == value) places.push_back(place);
    return places;
}

}  // namespace kwb::test
