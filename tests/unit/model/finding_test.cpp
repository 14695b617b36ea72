#include "model/finding_words.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/json.hpp"

using namespace kwb;

namespace {

std::vector<FindingCode> all_codes() {
    std::vector<FindingCode> codes;
    for (const std::string& name : enum_names<FindingCode>()) codes.push_back(*parse_enum<FindingCode>(name));
    return codes;
}

/// A finding with every field that any code may use.
Finding filled(FindingCode code) {
    Finding finding{.code = code, .subject = "subject", .place = "mine.cl:3:7"};
    for (const char* name : {"items", "most", "fit_items", "elements", "most_bytes", "needed_bytes",
                             "free_bytes", "rounds", "least", "wrong", "bytes"})
        finding.numbers.push_back({name, 7});
    finding.numbers.push_back({"share", 0.25});
    for (const char* name :
         {"sentence", "missing", "declaration", "command", "own",       "chosen", "problem", "param",
          "value",    "values",  "extent",      "sizes",   "condition", "global", "kernel",  "advice",
          "claims",   "device",  "others",      "inputs",  "expected",  "got",    "local"})
        finding.texts.push_back({name, std::string("the ") + name});
    finding.remedy = Remedy{RemedyKind::WorkGroup, "16x16"};
    return finding;
}

}  // namespace

TEST_CASE("every finding has a name of its own, and words on every face") {
    std::set<std::string> names;
    for (const FindingCode code : all_codes()) {
        CAPTURE(to_string(code));
        CHECK(names.insert(to_string(code)).second);
        for (const Face face : {Face::Terminal, Face::Window, Face::Page})
            CHECK(!sentence_of(filled(code), face).empty());
    }
    CHECK(names.size() == static_cast<std::size_t>(FindingCode::ClaimsIgnored) + 1);
    CHECK(!parse_enum<FindingCode>("nonsense"));
}

TEST_CASE("a window's words name no option, but for a command that is to be typed") {
    for (const FindingCode code : all_codes()) {
        CAPTURE(to_string(code));
        CHECK(sentence_of(filled(code), Face::Window).find("--") == std::string::npos);
        CHECK(sentence_of(filled(code), Face::Page).find("--") == std::string::npos);
    }
}

TEST_CASE("a terminal's words name its options") {
    const auto says = [](FindingCode code, const char* option) {
        return sentence_of(filled(code), Face::Terminal).find(option) != std::string::npos;
    };
    CHECK(says(FindingCode::UnlistedParamValue, "--force"));
    CHECK(says(FindingCode::WorkGroupIsFixed, "--force"));
    CHECK(says(FindingCode::MalformedWorkGroup, "--local"));
    CHECK(says(FindingCode::BufferBeyondMemory, "--size"));
    CHECK(says(FindingCode::Undeclared, "--problem"));
}

TEST_CASE("a finding comes through JSON as it was") {
    for (const FindingCode code : all_codes())
        CHECK(from_json<Finding>(to_json(filled(code))) == filled(code));
}

TEST_CASE("a finding without its numbers and texts, as a broken process may send it, still has words") {
    for (const FindingCode code : all_codes())
        for (const Face face : {Face::Terminal, Face::Window, Face::Page})
            CHECK_NOTHROW(sentence_of({.code = code}, face));
}

TEST_CASE("bad input that is refused keeps its finding, and says it to a terminal") {
    const Finding finding{.code = FindingCode::MalformedWorkGroup, .subject = "16y16"};
    try {
        throw Refused(finding);
    } catch (const BadInput& error) {
        CHECK(std::string(error.what()).starts_with("--local 16y16: give 1 to 3 sizes"));
    }
    CHECK(sentence_of(Refused(finding).finding(), Face::Window).starts_with("work-group 16y16: give"));
}

TEST_CASE("what wrong elements have in common is said after their number") {
    Finding wrong = filled(FindingCode::WrongElements);
    const std::string plain = sentence_of(wrong);
    std::set<std::string> sentences{plain};
    for (const std::string& name : enum_names<WrongPattern>()) {
        CAPTURE(name);
        Finding finding = wrong;
        finding.texts.push_back({"pattern", name});
        for (const char* number : {"by", "factor", "last_rows", "first_columns", "terms"})
            finding.numbers.push_back({number, 1});
        finding.numbers.push_back({"last_columns", 3});
        if (name == "early_end") finding.numbers.push_back({"missing", 1});
        const std::string sentence = sentence_of(finding);
        CHECK(sentence.starts_with(plain + "; "));
        CHECK(sentences.insert(sentence).second);
        if (name == "at_edges")
            CHECK(
                sentence.ends_with("; they are all in the last row, the first column or the last 3 columns"));
        if (name == "early_end") CHECK(sentence.ends_with("; each sum lacks exactly its last term of 1"));
    }
    wrong.texts.push_back({"pattern", "never heard of"});  // from another version, or an untrusted process
    CHECK(sentence_of(wrong) == plain);
}

TEST_CASE("an output that needs to be cleared comes with how to clear it") {
    Finding finding = filled(FindingCode::DependsOnUnset);
    finding.subject = "C";
    CHECK(sentence_of(finding).find("when C is 0 before the run, all are right: clear it") !=
          std::string::npos);
    CHECK(sentence_of(finding).find("with C = 0 under [init]") != std::string::npos);
    finding.numbers.push_back({"changed", 5});
    CHECK(sentence_of(finding).find("5 of them depend on what C holds before the run") != std::string::npos);
}
