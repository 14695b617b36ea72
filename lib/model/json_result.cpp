#include <algorithm>
#include <array>

#include "model/finding_words.hpp"
#include "model/json.hpp"

namespace kwb {

namespace {

constexpr std::array<std::string_view, 3> kSeverities = {"note", "warning", "error"};
constexpr std::uint64_t kMostMapCells = 256;
/// Of a buffer; far above any memory, and small enough that the arithmetic of cells does not overflow.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;

template <class T>
Json optional_to_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::optional<std::string> optional_text(const JsonReader& reader, const char* key) {
    if (!reader.has(key)) return std::nullopt;
    return reader.text(key);
}

Json to_json(const Evidence& evidence) {
    return {{"stage", optional_to_json(evidence.stage)},
            {"signal", optional_to_json(evidence.signal)},
            {"buffer", optional_to_json(evidence.buffer)},
            {"access", optional_to_json(evidence.access)},
            {"element", optional_to_json(evidence.element)},
            {"work_item", evidence.work_item ? Json(*evidence.work_item) : Json(nullptr)}};
}

Evidence evidence_from_json(const Json& json) {
    const JsonReader reader(json, "evidence");
    Evidence evidence;
    evidence.stage = optional_text(reader, "stage");
    evidence.signal = optional_text(reader, "signal");
    evidence.buffer = optional_text(reader, "buffer");
    evidence.access = optional_text(reader, "access");
    if (reader.has("element")) evidence.element = reader.integer("element", INT64_MIN, INT64_MAX);
    if (reader.has("work_item")) evidence.work_item = reader.unsigned_integers("work_item");
    return evidence;
}

Json to_json(const WrongElement& wrong) {
    return {{"index", wrong.index},
            {"expected", number_to_json(wrong.expected)},
            {"got", number_to_json(wrong.got)},
            {"buffer", wrong.buffer}};
}

WrongElement wrong_from_json(const Json& json) {
    const JsonReader reader(json, "wrong element");
    return {reader.unsigned_integers("index"), reader.number("expected"), reader.number("got"),
            reader.text("buffer")};
}

Json to_json(const LaunchResult& launch) {
    return {{"kernel", launch.kernel},
            {"global", launch.global},
            {"local", launch.local},
            {"median_ms", number_to_json(launch.median_ms)}};
}

Json to_json(const KernelInfo& info) {
    return {{"work_group_size", info.work_group_size},
            {"preferred_multiple", info.preferred_multiple},
            {"local_mem_bytes", info.local_mem_bytes},
            {"private_mem_bytes", info.private_mem_bytes}};
}

KernelInfo kernel_info_from_json(const Json& json) {
    const JsonReader reader(json, "kernel_info");
    return {reader.unsigned_integer("work_group_size"), reader.unsigned_integer("preferred_multiple"),
            reader.unsigned_integer("local_mem_bytes"), reader.unsigned_integer("private_mem_bytes")};
}

Json to_json(const Speedup& speedup) {
    return {{"to", speedup.to},
            {"value", number_to_json(speedup.value)},
            {"ci95", kwb::to_json(speedup.interval)}};
}

Json to_json(const RandomCheck& check) {
    return {{"vectors", check.vectors},
            {"miss_chance", number_to_json(check.miss_chance)},
            {"visible_error", number_to_json(check.visible_error)},
            {"compared_elements", check.compared_elements}};
}

RandomCheck random_check_from_json(const Json& json) {
    const JsonReader reader(json, "random_check");
    return {static_cast<std::uint32_t>(reader.unsigned_integer("vectors", UINT32_MAX)),
            reader.number("miss_chance"), reader.optional_number("visible_error"),
            reader.unsigned_integer("compared_elements")};
}

Json to_json(const Diagnostic& diagnostic) {
    return {{"severity", std::string(kSeverities[static_cast<std::size_t>(diagnostic.severity)])},
            {"file", diagnostic.file},
            {"line", diagnostic.line},
            {"column", diagnostic.column},
            {"message", diagnostic.message}};
}

Diagnostic diagnostic_from_json(const Json& json) {
    const JsonReader reader(json, "diagnostic");
    Diagnostic diagnostic;
    const std::string severity = reader.text("severity");
    const auto known = std::find(kSeverities.begin(), kSeverities.end(), severity);
    if (known == kSeverities.end()) reader.refuse("severity", "a known severity");
    diagnostic.severity = static_cast<Severity>(known - kSeverities.begin());
    diagnostic.file = reader.text("file");
    diagnostic.line = static_cast<std::uint32_t>(reader.unsigned_integer("line", UINT32_MAX));
    diagnostic.column = static_cast<std::uint32_t>(reader.unsigned_integer("column", UINT32_MAX));
    diagnostic.message = reader.text("message");
    return diagnostic;
}

Json to_json(const Hint& hint) {
    return {{"line", hint.line}, {"sentence", hint.sentence}};
}

Json to_json(const ErrorMap& map) {
    return {{"buffer", map.buffer},
            {"rows", map.rows},
            {"columns", map.columns},
            {"extents", map.extents ? Json{{"rows", map.extents->rows}, {"columns", map.extents->columns}}
                                    : Json(nullptr)}};
}

ErrorMap error_map_from_json(const Json& json) {
    const JsonReader reader(json, "error_map");
    ErrorMap map;
    map.buffer = reader.text("buffer");
    map.rows = static_cast<std::uint32_t>(reader.unsigned_integer("rows", kMostMapCells));
    map.columns = static_cast<std::uint32_t>(reader.unsigned_integer("columns", kMostMapCells));
    if (reader.has("extents")) {
        const JsonReader extents(reader.object("extents"), "extents");
        map.extents = MapExtents{extents.unsigned_integer("rows"), extents.unsigned_integer("columns")};
        if (map.extents->rows < map.rows || map.extents->columns < map.columns)
            reader.refuse("extents", "at least one element a cell");
        if (map.extents->columns > 0 && map.extents->rows > kMostElements / map.extents->columns)
            reader.refuse("extents", "at most 2^48 elements");
    }
    return map;
}

template <class List>
Json list_to_json(const List& list) {
    Json json = Json::array();
    for (const auto& item : list) json.push_back(to_json(item));
    return json;
}

}  // namespace

Json to_json(const Finding& finding) {
    Json numbers = Json::object();
    for (const auto& [name, number] : finding.numbers) numbers[name] = number_to_json(number);
    Json texts = Json::object();
    for (const auto& [name, text] : finding.texts) texts[name] = text;
    return {{"code", to_string(finding.code)},
            {"subject", finding.subject},
            {"place", finding.place},
            {"numbers", numbers},
            {"texts", texts},
            {"remedy", finding.remedy
                           ? Json{{"change", to_string(finding.remedy->kind)}, {"to", finding.remedy->value}}
                           : Json(nullptr)}};
}

Finding finding_from_json(const Json& json) {
    const JsonReader reader(json, "finding");
    Finding finding;
    const auto code = parse_finding_code(reader.text("code"));
    if (!code) reader.refuse("code", "a known finding");
    finding.code = *code;
    finding.subject = reader.text("subject");
    finding.place = reader.text("place");
    const JsonReader numbers(reader.object("numbers"), "numbers");
    for (const auto& [name, number] : reader.object("numbers").items())
        finding.numbers.push_back({name, numbers.number(name.c_str())});
    const JsonReader texts(reader.object("texts"), "texts");
    for (const auto& [name, text] : reader.object("texts").items())
        finding.texts.push_back({name, texts.text(name.c_str())});
    if (reader.has("remedy")) {
        const JsonReader remedy(reader.object("remedy"), "remedy");
        const auto kind = parse_remedy_kind(remedy.text("change"));
        if (!kind) remedy.refuse("change", "something that can be changed");
        finding.remedy = Remedy{*kind, remedy.text("to")};
    }
    return finding;
}

Json to_json(const Interval& interval) {
    return Json::array({number_to_json(interval.low), number_to_json(interval.high)});
}

Json to_json(const std::optional<Interval>& interval) {
    return interval ? to_json(*interval) : Json(nullptr);
}

std::optional<Interval> interval_from_json(const JsonReader& reader, const char* key) {
    if (!reader.has(key)) return std::nullopt;
    const auto ends = reader.numbers(key);
    if (ends.size() != 2) reader.refuse(key, "two numbers");
    return Interval{ends[0], ends[1]};
}

Json to_json(const KernelResult& result) {
    Json json = {{"kernel", result.kernel},
                 {"file", result.file},
                 {"source_sha256", result.source_sha256},
                 {"unsaved", result.unsaved},
                 {"problem", result.problem},
                 {"size", to_json(result.size)},
                 {"params", to_json(result.params)},
                 {"launches", list_to_json(result.launches)},
                 {"device", result.device},
                 {"verdict", to_string(result.verdict)},
                 {"expected", to_json(result.expected)},
                 {"reason", result.reason},
                 {"finding", result.finding ? to_json(*result.finding) : Json(nullptr)},
                 {"evidence", result.evidence ? to_json(*result.evidence) : Json(nullptr)},
                 {"build_ms", number_to_json(result.build_ms)},
                 {"upload_ms", number_to_json(result.upload_ms)},
                 {"download_ms", number_to_json(result.download_ms)},
                 {"first_run_ms", number_to_json(result.first_run_ms)}};
    Json samples = Json::array();
    for (const double sample : result.samples_ms) samples.push_back(number_to_json(sample));
    json["samples_ms"] = samples;
    json["median_ms"] = number_to_json(result.median_ms);
    json["ci95_ms"] = to_json(result.ci95_ms);
    json["gflops"] = number_to_json(result.gflops);
    json["gbytes_s"] = number_to_json(result.gbytes_s);
    json["speedup"] = result.speedup ? to_json(*result.speedup) : Json(nullptr);
    json["wrong_elements"] = optional_to_json(result.wrong_elements);
    json["first_wrong"] = result.first_wrong.empty() ? Json(nullptr) : to_json(result.first_wrong.front());
    json["wrong_examples"] = list_to_json(result.first_wrong);
    json["max_error_share"] = number_to_json(result.max_error_share);
    json["numpy_allclose"] = optional_to_json(result.numpy_allclose);
    json["random_check"] = result.random_check ? to_json(*result.random_check) : Json(nullptr);
    json["kernel_info"] = result.kernel_info ? to_json(*result.kernel_info) : Json(nullptr);
    json["diagnostics"] = list_to_json(result.diagnostics);
    json["hints"] = list_to_json(result.hints);
    json["too_few_rounds"] = result.too_few_rounds
                                 ? Json{{"needed_ms", number_to_json(result.too_few_rounds->needed_ms)}}
                                 : Json(nullptr);
    // Sentences for people and scripts, and the data that they were made of.
    json["warnings"] = Json::array();
    for (const Finding& warning : result.warnings) json["warnings"].push_back(sentence_of(warning));
    json["warning_findings"] = list_to_json(result.warnings);
    json["output"] = result.output;
    json["log"] = result.log;
    json["error_map"] = result.error_map ? to_json(*result.error_map) : Json(nullptr);
    return json;
}

KernelResult result_from_json(const Json& json) {
    const JsonReader reader(json, "result");
    KernelResult result;
    result.kernel = reader.text("kernel");
    result.file = reader.text("file");
    result.source_sha256 = reader.text("source_sha256");
    result.unsaved = reader.boolean("unsaved");
    result.problem = reader.text("problem");
    result.size = sizes_from_json(reader.object("size"));
    result.params = params_from_json(reader.object("params"));
    for (const Json& item : reader.array("launches")) {
        const JsonReader launch(item, "launch");
        result.launches.push_back({launch.text("kernel"), launch.unsigned_integers("global"),
                                   launch.unsigned_integers("local"), launch.optional_number("median_ms")});
    }
    result.device = reader.text("device");
    const auto verdict = parse_verdict(reader.text("verdict"));
    if (!verdict) reader.refuse("verdict", "a known verdict");
    result.verdict = *verdict;
    result.expected = expectation_from_json(reader, "expected");
    result.reason = reader.text("reason");
    if (reader.has("finding")) result.finding = finding_from_json(reader.object("finding"));
    if (reader.has("evidence")) result.evidence = evidence_from_json(reader.object("evidence"));
    result.build_ms = reader.optional_number("build_ms");
    result.upload_ms = reader.optional_number("upload_ms");
    result.download_ms = reader.optional_number("download_ms");
    result.first_run_ms = reader.optional_number("first_run_ms");
    result.samples_ms = reader.numbers("samples_ms");
    result.median_ms = reader.optional_number("median_ms");
    result.ci95_ms = interval_from_json(reader, "ci95_ms");
    result.gflops = reader.optional_number("gflops");
    result.gbytes_s = reader.optional_number("gbytes_s");
    if (reader.has("speedup")) {
        const JsonReader speedup(reader.object("speedup"), "speedup");
        result.speedup =
            Speedup{speedup.text("to"), speedup.number("value"), interval_from_json(speedup, "ci95")};
    }
    if (reader.has("wrong_elements")) result.wrong_elements = reader.unsigned_integer("wrong_elements");
    for (const Json& item : reader.array("wrong_examples"))
        result.first_wrong.push_back(wrong_from_json(item));
    result.max_error_share = reader.optional_number("max_error_share");
    if (reader.has("numpy_allclose")) result.numpy_allclose = reader.boolean("numpy_allclose");
    if (reader.has("random_check"))
        result.random_check = random_check_from_json(reader.object("random_check"));
    if (reader.has("kernel_info")) result.kernel_info = kernel_info_from_json(reader.object("kernel_info"));
    for (const Json& item : reader.array("diagnostics"))
        result.diagnostics.push_back(diagnostic_from_json(item));
    for (const Json& item : reader.array("hints")) {
        const JsonReader hint(item, "hint");
        result.hints.push_back(
            {static_cast<std::uint32_t>(hint.unsigned_integer("line", UINT32_MAX)), hint.text("sentence")});
    }
    if (reader.has("too_few_rounds"))
        result.too_few_rounds = TooFewRounds{
            JsonReader(reader.object("too_few_rounds"), "too_few_rounds").optional_number("needed_ms")};
    std::vector<std::string> sentences = reader.texts("warnings");
    if (reader.has("warning_findings")) {
        for (const Json& item : reader.array("warning_findings"))
            result.warnings.push_back(finding_from_json(item));
    } else {  // a record from before there were findings
        for (std::string& sentence : sentences) result.warnings.push_back(remark(std::move(sentence)));
    }
    result.output = reader.text("output");
    result.log = reader.text("log");
    if (reader.has("error_map")) result.error_map = error_map_from_json(reader.object("error_map"));
    return result;
}

Json to_json(const Environment& environment) {
    return {{"device", environment.device},     {"platform", environment.platform},
            {"driver", environment.driver},     {"opencl_c", environment.opencl_c},
            {"host_cpu", environment.host_cpu}, {"kwb_version", environment.kwb_version},
            {"sandbox", environment.sandbox}};
}

Environment environment_from_json(const Json& json) {
    const JsonReader reader(json, "environment");
    return {reader.text("device"),   reader.text("platform"), reader.text("driver"),
            reader.text("opencl_c"), reader.text("host_cpu"), reader.text("kwb_version"),
            reader.text("sandbox")};
}

}  // namespace kwb
