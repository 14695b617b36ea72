// SPDX-License-Identifier: Apache-2.0
// X-ray finds in the kernels of the .cl files of this folder what their lines say, and nothing else. A case:
//
//   //// a barrier that is missing before a read is a race
//   //@ launch 64 in 32; n = 40; a[50]; x = 3 5
//   __kernel void reverse(__global const float* a, __global float* out, __global int* x, int n) {
//       …
//       out[get_global_id(0)] = t[31 - i];  //@ finds data_race first_place=-1 subject=t[* and unset_read
//
// What stands above a file's first case is part of each. All kernels of a case run once, in order, each with
// buffers of its own. Lines with //@:
//
//   launch      for the kernels below: global and local size (without: 64 in 32), then arguments. `a[50]` has
//   50
//               elements (without: 64), `x = 3 5` begins with these, repeated. Without values, what is const
//               begins with 0, and nobody has set what is not. The size of a __local argument is in bytes.
//   finds       at the end of a line: codes of all findings there, each with some of its details. `*` stands
//   for
//               any text, and a place is a distance in lines. In a line of its own: findings without a place.
//   report      facts: paths in the report's JSON, where an item's index may be -1, the last
//   xray        options of an observation; several of these lines are several observations
//   options     for the compiler
//   fails       there is no report, for this reason
//
// KWB_XRAY_CASE limits the test to the cases whose name matches.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "process/xray/xray_client.hpp"
#include "source/kernels.hpp"
#include "support/case_file.hpp"

namespace kwb::test {
namespace {

namespace fs = std::filesystem;
using Details = std::vector<std::pair<std::string, std::string>>;

struct Given {
    std::uint64_t elements = 64;
    std::optional<std::vector<std::int32_t>> values = {};
};

struct LaunchLine {
    std::vector<std::uint64_t> global = {64};
    std::vector<std::uint64_t> local = {32};
    std::map<std::string, Given> arguments = {};
};

struct ExpectedFinding {
    std::size_t line = 0;  ///< 0: without a place
    std::string code;
    Details details;
};

struct XrayCase {
    XrayJob job;
    std::vector<XrayOptions> observations;
    std::vector<ExpectedFinding> findings;
    Details facts;        ///< "sites/0/place/line =" and what it is
    std::string failure;  ///< empty: there is a report
};

std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    text = trim(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        throw BadInput("'" + std::string(text) + "': no number");
    return number;
}

template <class Number>
std::vector<Number> numbers_of(std::string_view text, char separator) {
    std::vector<Number> numbers;
    for (const std::string& piece : split(trim(text), separator))
        numbers.push_back(static_cast<Number>(number_of(piece)));
    return numbers;
}

/// "64 in 32; n = 40; a[50]; x = 3 5"
LaunchLine parse_launch(const std::string& text) {
    LaunchLine launch;
    for (const std::string& part : split(text, ';')) {
        if (const std::size_t in = part.find(" in "); in != std::string::npos) {
            launch.global = numbers_of<std::uint64_t>(part.substr(0, in), 'x');
            launch.local = numbers_of<std::uint64_t>(part.substr(in + 4), 'x');
            continue;
        }
        const std::size_t equals = part.find('='), bracket = part.find('[');
        Given& given = launch.arguments[std::string(trim(part.substr(0, std::min(equals, bracket))))];
        if (bracket < equals)
            given.elements =
                static_cast<std::uint64_t>(number_of(part.substr(bracket + 1, part.find(']') - bracket - 1)));
        if (equals != std::string::npos)
            given.values = numbers_of<std::int32_t>(part.substr(equals + 1), ' ');
    }
    return launch;
}

/// "counts sub_group=8"
XrayOptions parse_observation(const std::string& text) {
    XrayOptions options;
    for (const std::string& word : split(text, ' ')) {
        const std::string name = word.substr(0, word.find('='));
        const auto value = [&] { return number_of(word.substr(name.size() + 1)); };
        if (word == "counts")
            options.keep_counts = true;
        else if (word == "sites")
            options.keep_sites = true;
        else if (name == "sub_group")
            options.sub_group = static_cast<std::uint32_t>(value());
        else if (name == "most_events")
            options.most_events = static_cast<std::uint64_t>(value());
        else if (name == "seed")
            options.order_seed = static_cast<std::uint64_t>(value());
        else if (name == "trace")
            options.trace_group = {static_cast<std::uint64_t>(value())};
        else if (!word.empty())
            throw BadInput("'" + word + "': no option of an observation");
    }
    return options;
}

/// "data_race space=local variable n=2 and unset_read": what stands before a `=` names a detail.
std::vector<ExpectedFinding> parse_findings(std::size_t line, const std::string& text) {
    std::vector<ExpectedFinding> findings(1, {line, "", {}});
    std::string name;
    for (const std::string& word : split(text, ' ')) {
        const std::size_t equals = word.find('=');
        if (word == "and") {
            findings.push_back({line, "", {}});
        } else if (findings.back().code.empty()) {
            findings.back().code = word;
        } else if (equals == std::string::npos) {
            name += word + " ";
        } else {
            findings.back().details.push_back({name + word.substr(0, equals), word.substr(equals + 1)});
            name.clear();
        }
    }
    return findings;
}

/// "buffers/0/loads = 64, sites = 3 items"
Details parse_facts(const std::string& text) {
    Details facts;
    for (const std::string& fact : split(text, ',')) {
        const std::size_t relation = fact.find_first_of("=<>");
        if (relation == std::string::npos) throw BadInput("'" + fact + "': a fact needs =, < or >");
        facts.push_back({std::string(trim(fact.substr(0, relation))) + fact[relation],
                         std::string(trim(fact.substr(relation + 1)))});
    }
    return facts;
}

/// Binds a kernel's arguments to new buffers.
Launch launch_of(XrayJob& job, const SourceKernel& kernel, const LaunchLine& line) {
    Launch launch;
    launch.kernel = kernel.name;
    launch.global = line.global;
    launch.local = line.local;
    for (const KernelParameter& parameter : kernel.parameters) {
        const auto found = line.arguments.find(parameter.name);
        Given given = found != line.arguments.end() ? found->second : Given{};
        if (parameter.space == AddressSpace::Private) {
            if (!given.values) throw BadInput(kernel.name + ": launch gives no " + parameter.name);
            std::vector<std::uint8_t> bytes(sizeof(std::int32_t));
            std::memcpy(bytes.data(), given.values->data(), bytes.size());
            launch.arguments.push_back(ValueArgument{bytes});
        } else if (parameter.space == AddressSpace::Local) {
            launch.arguments.push_back(LocalArgument{given.elements});
        } else {
            if (parameter.is_const && !given.values) given.values = {0};
            const std::string type = parameter.type_name.substr(0, parameter.type_name.find('*'));
            launch.arguments.push_back(job.buffer(parameter.name,
                                                  parse_element_type(trim(type)).value_or(ElementType{}),
                                                  given.elements, given.values));
        }
    }
    return launch;
}

XrayCase parse_case(const std::string& text) {
    constexpr std::string_view kMark = "//@ ";
    XrayCase parsed;
    parsed.job.source = text;
    std::map<std::size_t, LaunchLine> launches = {{0, {}}};
    const std::vector<std::string> lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t mark = lines[i].find(kMark);
        if (mark == std::string::npos) continue;
        const std::string what = lines[i].substr(mark + kMark.size());
        const std::string word = what.substr(0, what.find(' '));
        const std::string rest = what.substr(std::min(what.size(), word.size() + 1));
        if (word == "launch")
            launches[i + 1] = parse_launch(rest);
        else if (word == "xray")
            parsed.observations.push_back(parse_observation(rest));
        else if (word == "options")
            parsed.job.options = rest;
        else if (word == "fails")
            parsed.failure = rest;
        else if (word == "report")
            std::ranges::move(parse_facts(rest), std::back_inserter(parsed.facts));
        else if (word == "finds")
            std::ranges::move(parse_findings(mark == 0 ? 0 : i + 1, rest),
                              std::back_inserter(parsed.findings));
        else
            throw BadInput("'" + what + "': no such word");
    }
    if (parsed.observations.empty()) parsed.observations.resize(1);
    const auto kernels = find_kernel_functions({text, {}, {}, parsed.job.options});
    if (!kernels && parsed.failure.empty()) throw BadInput("does not compile");
    SourceKernel unread;
    unread.name = "k";
    for (const SourceKernel& kernel : kernels.value_or(std::vector{unread}))
        parsed.job.launches.push_back(
            launch_of(parsed.job, kernel, std::prev(launches.upper_bound(kernel.line))->second));
    return parsed;
}

/// The line of "kernel.cl:3:7"; 0 without a place.
std::size_t line_of(const std::string& place) {
    const std::size_t colon = place.find(':');
    return colon == std::string::npos ? 0 : std::stoul(place.substr(colon + 1));
}

std::string detail_of(const Finding& finding, const std::string& name) {
    if (name == "subject") return finding.subject;
    if (const double* number = find_named(finding.numbers, name)) return fmt::format("{}", *number);
    const std::string text = finding.text(name);
    if (!text.starts_with("kernel.cl:")) return text;
    return fmt::format(
        "{:+}", static_cast<std::int64_t>(line_of(text)) - static_cast<std::int64_t>(line_of(finding.place)));
}

/// As a line of a case would state it.
std::string statement_of(const Finding& finding) {
    std::string statement = to_string(finding.code) + " subject=" + finding.subject;
    for (const auto& [name, number] : finding.numbers) statement += fmt::format(" {}={}", name, number);
    for (const auto& [name, text] : finding.texts) statement += " " + name + "=" + detail_of(finding, name);
    return statement;
}

bool is_as(const ExpectedFinding& expected, const Finding& finding) {
    return std::ranges::all_of(expected.details, [&](const auto& detail) {
        return matches(detail.second, detail_of(finding, detail.first));
    });
}

std::string value_at(const Json& report, const std::string& path) {
    const Json* value = &report;
    for (const std::string& key : split(path, '/'))
        value = !value->is_array() ? &value->at(key)
                : key == "-1"      ? &value->back()
                                   : &value->at(std::stoul(key));
    if (value->is_array()) return std::to_string(value->size()) + " items";
    return value->is_string() ? value->get<std::string>() : value->dump();
}

bool holds(char relation, const std::string& value, const std::string& wanted) {
    if (relation == '=') return matches(wanted, value);
    return relation == '<' ? std::stod(value) < std::stod(wanted) : std::stod(value) > std::stod(wanted);
}

/// @return  one line for each finding or fact that is missing or surplus
std::vector<std::string> differences(const XrayCase& expected, const XrayReport& report) {
    std::vector<Finding> found = report.undefined;
    found.insert(found.end(), report.remarks.begin(), report.remarks.end());
    const std::vector<std::string> lines = split_lines(expected.job.source);
    const auto in_line = [&](std::size_t line) {
        return line == 0 ? " anywhere" : fmt::format(" in line {}: {}", line, trim(lines.at(line - 1)));
    };
    const auto is_at = [](const ExpectedFinding& wanted, const Finding& finding) {
        return wanted.line == line_of(finding.place) && wanted.code == to_string(finding.code);
    };
    std::vector<std::string> differences;
    for (const Finding& finding : found)
        if (std::ranges::none_of(expected.findings,
                                 [&](const auto& wanted) { return is_at(wanted, finding); }))
            differences.push_back("surplus: " + statement_of(finding) + in_line(line_of(finding.place)));
    for (const ExpectedFinding& wanted : expected.findings)
        if (std::ranges::none_of(found, [&](const Finding& finding) {
                return is_at(wanted, finding) && is_as(wanted, finding);
            })) {
            differences.push_back("missing: " + wanted.code + in_line(wanted.line));
            for (const Finding& finding : found)
                if (is_at(wanted, finding)) differences.push_back("    there is " + statement_of(finding));
        }
    const Json json = to_json(ObservedReply{report}).at("report");
    for (const auto& [path, wanted] : expected.facts) {
        const std::string value = value_at(json, path.substr(0, path.size() - 1));
        if (!holds(path.back(), value, wanted))
            differences.push_back("missing: " + path + " " + wanted + ", which is " + value);
    }
    return differences;
}

TEST_CASE("X-ray finds what the lines of each case say, and nothing else") {
    const char* only = std::getenv("KWB_XRAY_CASE");
    std::size_t tried = 0;
    for (const auto& entry : fs::directory_iterator(KWB_XRAY_CASES)) {
        if (entry.path().extension() != ".cl") continue;
        const CaseFile file = read_case_file(entry.path());
        for (const CaseText& text : file.cases) {
            if (only != nullptr && !matches(only, text.name)) continue;
            CAPTURE(entry.path().filename().string());
            CAPTURE(text.name);
            ++tried;
            try {
                XrayCase expected = parse_case(file.shared + text.text);
                for (const XrayOptions& options : expected.observations) {
                    expected.job.xray = options;
                    const XrayAnswer answer = observe(expected.job);
                    if (!answer.report || !expected.failure.empty())
                        CHECK(matches(expected.failure, answer.failure));
                    else
                        CHECK(join(differences(expected, *answer.report), "\n") == "");
                }
            } catch (const std::exception& error) {
                FAIL_CHECK(std::string(error.what()));
            }
        }
    }
    CHECK(tried > 0);
}

TEST_CASE("functions of the whole group and of sub-groups give what they promise") {
    XrayJob job{
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    const int x = a[get_global_id(0)];\n"
        "    out[get_global_id(0)] = work_group_reduce_add(x) * 1000000 + work_group_scan_inclusive_add(x) * "
        "1000\n"
        "        + sub_group_reduce_max(x) + sub_group_broadcast(x, 1);\n"
        "}\n"};
    job.options = "-cl-std=CL3.0";
    job.xray.sub_group = 4;
    const Argument a = job.buffer("a", {Scalar::Int32}, 8, {{1, 2, 3, 4, 5, 6, 7, 8}});
    job.launches = {
        {"k", {8}, {8}, {a, job.buffer("out", {Scalar::Int32}, 8, std::nullopt)}, 1, std::nullopt}};
    const XrayAnswer answer = observe(job);
    REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
    std::vector<std::int32_t> out(8);
    std::memcpy(out.data(), answer.downloads[1].data(), 32);
    CHECK(out == std::vector<std::int32_t>{36'001'006, 36'003'006, 36'006'006, 36'010'006, 36'015'014,
                                           36'021'014, 36'028'014, 36'036'014});
}

TEST_CASE("work-items take another order from seed to seed, and a race becomes another result") {
    XrayJob job{"__kernel void k(__global int* out) { out[0] = get_global_id(0) + 1; }\n"};
    job.launches = {{"k", {64}, {64}, {job.buffer("out", {Scalar::Int32}, 1, {{0}})}, 1, std::nullopt}};
    const auto last = [&](std::uint64_t seed) {
        job.xray.order_seed = seed;
        return observe(job).downloads.at(0);
    };
    CHECK(last(1) == last(1));
    CHECK((last(1) != last(2) || last(1) != last(3)));
}

}  // namespace
}  // namespace kwb::test
