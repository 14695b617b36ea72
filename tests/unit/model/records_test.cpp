// SPDX-License-Identifier: Apache-2.0
// All described records that processes send or that files hold: every field, its limits and its absence.
#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "base/text.hpp"
#include "support/filled_record.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// One record as it is sent, and what its reader does with changes of it.
struct Trial {
    Json sent;
    std::function<Json(const Json&)> trip;  ///< reads and writes
    std::vector<std::string> complaints = {};
    std::size_t refused = 0;
    std::map<std::string, std::string> places = {};  ///< of texts, and of numbers without limits

    using Place = Json::json_pointer;

    void expect_refusal(const Json& changed, const Place& place, const std::string& what) {
        try {
            trip(changed);
            complaints.push_back(place.to_string() + " may be " + what);
        } catch (const ProtocolError&) {
            ++refused;
        }
    }
    void refuse(const Place& place, const Json& value) {
        Json changed = sent;
        changed[place] = value;
        expect_refusal(changed, place, dump_json(value).substr(0, 60));
    }
    void drop(const Place& place, bool is_optional) {
        Json changed = sent;
        changed.at(place.parent_pointer()).erase(place.back());
        if (!is_optional) return expect_refusal(changed, place, "missing");
        try {
            if (!trip(changed).at(place).is_null()) complaints.push_back(place.to_string() + " is invented");
        } catch (const ProtocolError& error) {
            complaints.push_back(place.to_string() + " may not be missing: " + error.what());
        }
    }
    /// Two fields with the same value belong to the same member of the record.
    void expect_different(const Place& place) {
        if (sent.at(place).is_number() && sent.at(place) < 1000) return;  // given by fit()
        const auto [other, is_new] = places.emplace(dump_json(sent.at(place)), place.to_string());
        if (!is_new) complaints.push_back(place.to_string() + " is that of " + other->second);
    }
};

/// Visits the fields of a record with a trial for each.
class FieldTrials : public Fields<FieldTrials> {
public:
    FieldTrials(Trial& trial, Trial::Place place) : trial_(trial), place_(std::move(place)) {}

    template <class T>
    void field(const Field& about, T& value) {
        const Trial::Place place = place_ / about.key;
        trial_.drop(place, kIsOptional<T>);
        visit(place, value, about.limits);
    }

    template <class T>
    void visit(const Trial::Place& place, T& value, const Limits& limits = {}) {
        if constexpr (HasJsonForm<T>) {
            trial_.refuse(place, {{"neither", "form"}});
        } else if constexpr (std::is_same_v<T, bool>) {
            trial_.refuse(place, 1);
        } else if constexpr (std::is_arithmetic_v<T>) {
            trial_.refuse(place, "text");
            visit_number<T>(place, limits);
        } else if constexpr (std::is_same_v<T, std::string>) {
            trial_.refuse(place, 7);
            trial_.expect_different(place);
            if (limits.fewest_items > 0) trial_.refuse(place, std::string(limits.fewest_items - 1, 'x'));
            if (limits.most_items < kMany) trial_.refuse(place, std::string(limits.most_items + 1, 'x'));
        } else if constexpr (NamedEnum<T>) {
            trial_.refuse(place, "no such word");
        } else if constexpr (kIsOptional<T>) {
            visit(place, *value, limits);
        } else if constexpr (kIsNamedList<T>) {
            trial_.refuse(place, 7);
            for (auto& [name, item] : value) visit(place / name, item, limits.of_item());
        } else if constexpr (kIsList<T>) {
            trial_.refuse(place, 7);
            const Json item = trial_.sent.at(place).at(0);
            if (limits.fewest_items > 0) trial_.refuse(place, Json::array());
            if (limits.most_items < kMany)
                trial_.refuse(place, std::vector<Json>(limits.most_items + 1, item));
            for (std::size_t i = 0; i < value.size(); ++i) {
                typename T::value_type copy = value[i];
                visit(place / i, copy, limits.of_item());
            }
        } else if constexpr (kIsPair<T>) {
            trial_.refuse(place, {1, 2, 3});
            visit(place / 0, value.first, limits);
            visit(place / 1, value.second, limits);
        } else if constexpr (kIsPlainVariant<T> || kIsRecordVariant<T>) {
            trial_.refuse(place, true);
            std::visit([&](auto& held) { visit_alternative(place, held, limits); }, value);
        } else {
            trial_.refuse(place, 7);
            FieldTrials inner(trial_, place);
            describe(inner, value);
        }
    }

private:
    static constexpr std::size_t kMany = 10'000;

    template <class T>
    void visit_number(const Trial::Place& place, const Limits& limits) {
        const double type_least = static_cast<double>(std::numeric_limits<T>::lowest());
        const double type_most = static_cast<double>(std::numeric_limits<T>::max());
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const double least = std::is_integral_v<T> ? std::max(limits.least, type_least) : limits.least;
        const double most = std::is_integral_v<T> ? std::min(limits.most, type_most) : limits.most;
        const auto beyond = [](double limit, double step) {
            return limit + step != limit ? limit + step : limit * 2;  // infinite for the largest number
        };
        const auto json = [](double value) {
            const bool is_whole = std::abs(value) < 0x1p62 && value == std::floor(value);
            return is_whole && std::is_integral_v<T> ? Json(static_cast<std::int64_t>(value))
                                                     : number_to_json(value);
        };
        if (least > -kInfinity) trial_.refuse(place, json(beyond(least, -1)));
        if (most < kInfinity) trial_.refuse(place, json(beyond(most, 1)));
        if (std::is_integral_v<T> || !limits.takes_nan) trial_.refuse(place, "nan");
        if (std::is_integral_v<T>) trial_.refuse(place, 1.5);
        if (least <= 0 && most > 1e6) trial_.expect_different(place);
    }

    /// A variant that holds this may take another form instead.
    template <class T>
    void visit_alternative(const Trial::Place& place, T& held, const Limits& limits) {
        if constexpr (!kIsPlain<T>) visit(place, held, limits);
    }

    Trial& trial_;
    Trial::Place place_;
};

template <class Record>
Json over_the_wire(const Record& record) {
    return parse_json(dump_json(write_json(record)));
}

template <class Record>
Record read(const Json& json) {
    Record record{};
    read_json(JsonPlace(json, "it"), record);
    return record;
}

template <class Record>
Trial trial_of(const Record& record) {
    return {over_the_wire(record), [](const Json& json) { return over_the_wire(read<Record>(json)); }};
}

template <class Record>
Trial try_fields(Record record) {
    Trial trial = trial_of(record);
    CHECK(trial.trip(trial.sent) == trial.sent);
    CHECK(join(unfilled(trial.sent, over_the_wire(Record{})), "\n") == "");
    FieldTrials(trial, Trial::Place()).visit(Trial::Place(), record);
    return trial;
}

}  // namespace

TEST_CASE_TEMPLATE("each field of a record is sent, missed, and refused beyond its limits", Record,
                   DeviceList, RunRequest, XrayRequest, Progress, Environment, KernelPlan, XraySize,
                   DeclaredInstance, KernelResult, XrayReport, TargetReport, FunctionInfo, Finding) {
    const Trial trial = try_fields(filled<Record>());
    CHECK(join(trial.complaints, "\n") == "");
    CHECK(trial.refused > 10);
}

namespace {

struct Mistaken {
    std::string name;
    std::string device;
    std::uint32_t rows = 0;
    std::vector<double> samples;
};

template <class Fields>
void describe(Fields& f, Mistaken& m) {
    f("name", m.name);
    f("device", m.name);  // the wrong member
    Limits limits = at_most(9);
    if constexpr (std::is_same_v<Fields, JsonFields>) limits = {};  // the reader does not enforce it
    f("rows", m.rows, limits);
    f("samples", m.samples);
}

}  // namespace

TEST_CASE("a field of the wrong member and a limit that nobody enforces are noticed") {
    CHECK(join(try_fields(filled<Mistaken>()).complaints, "\n") ==
          "/device is that of /name\n"
          "/rows may be 10");
}

TEST_CASE_TEMPLATE("what is missing stays missing", Record, Progress, Environment, KernelPlan, KernelResult,
                   XrayReport, TargetReport) {
    const Json sent = over_the_wire(Record{});
    CHECK(over_the_wire(read<Record>(sent)) == sent);
}

TEST_CASE_TEMPLATE("fields that contradict each other are refused", Record, RunRequest, KernelResult,
                   XrayReport, DeclaredInstance, BufferSpec) {
    const std::map<std::string, Json> contradictions = {
        {"/baseline", 2},
        {"/contestants/0/kernel/launches/0/local", {8}},
        {"/contestants/1", "gpu:blas"},
        {"/error_map/extents/rows", 1},
        {"/error_map/extents/columns", std::uint64_t{1} << 47},
        {"/picture/rows", 2},
        {"/trace/items", {1, 2, 3}},
        {"/trace/sites/0", 2},
        {"/sites/0/buffer", 2},
        {"/sites/0/launch", 2},
        {"/buffers/0/loads_of_cell", {1}},
        {"/type", "float3"},
        {"/shape", {std::uint64_t{1} << 40, std::uint64_t{1} << 40}},
        {"/buffers/1/access", "read"},
        {"/scalars/0/type", "float3"},
        {"/inputs", Json::object()},
        {"/outputs", Json::object()},
    };
    Trial trial = trial_of(filled<Record>());
    for (const auto& [place, value] : contradictions)
        if (const Trial::Place pointer(place); trial.sent.contains(pointer)) trial.refuse(pointer, value);
    CHECK(join(trial.complaints, "\n") == "");
    CHECK(trial.refused > 0);
}

TEST_CASE("arguments of each form come back with the kinds of their numbers") {
    LaunchPlan sent;
    sent.global = {1};
    sent.args = {{"b", BufferName{"X"}},
                 {"i", ScalarValue(std::int64_t{-5})},
                 {"w", ScalarValue(2.0)},
                 {"x", ScalarValue(std::nan(""))},
                 {"v", VectorValue{std::int64_t{3}, 0.5}},
                 {"s", Sampler{SamplerFilter::Linear, SamplerAddressing::Edge, false}}};
    const Json json = over_the_wire(sent);
    const LaunchPlan back = read<LaunchPlan>(json);
    CHECK(over_the_wire(back) == json);
    CHECK(std::get<ScalarValue>(back.args[1].value) == ScalarValue(std::int64_t{-5}));
    CHECK(std::get<ScalarValue>(back.args[2].value) == ScalarValue(2.0));
    CHECK(std::isnan(std::get<double>(std::get<ScalarValue>(back.args[3].value))));
    CHECK(std::get<VectorValue>(back.args[4].value) == VectorValue{std::int64_t{3}, 0.5});
}

TEST_CASE("a request may name the host's BLAS, and have no limit of time") {
    RunRequest sent = filled<RunRequest>();
    sent.contestants[1] = {};
    sent.timeout_ms = std::numeric_limits<double>::infinity();
    const RunRequest back = read<RunRequest>(over_the_wire(sent));
    CHECK(back.contestants[1].name() == kHostBlasName);
    CHECK(std::isinf(back.timeout_ms));
}
