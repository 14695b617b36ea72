// SPDX-License-Identifier: Apache-2.0
#include "model/finding_words.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/json.hpp"
#include "model/xray_words.hpp"

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
    CHECK(names.size() == enum_names<FindingCode>().size());
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

TEST_CASE("elements that were never written are counted with their region") {
    const Finding corner{
        .code = FindingCode::NeverWritten,
        .subject = "C",
        .place = "C[0][480]",
        .numbers = {{"wrong", 31744}, {"elements", 262144}, {"last_rows", 32}, {"last_columns", 32}},
        .texts = {{"inputs", "integer"}, {"expected", "231"}, {"pattern", "at_edges"}}};
    CHECK(
        sentence_of(corner) ==
        "31,744 of 262,144 elements of C were never written: all in the last 32 rows and columns (the first "
        "is C[0][480], with integer inputs)");
}

TEST_CASE("an output that needs to be cleared comes with how to clear it") {
    Finding finding = filled(FindingCode::DependsOnUnset);
    finding.subject = "C";
    CHECK(sentence_of(finding).find("if C is 0 before the run, all elements are right. Store to C with =") !=
          std::string::npos);
    CHECK(sentence_of(finding).find("with C = 0 under [init]") != std::string::npos);
    finding.numbers.push_back({"changed", 5});
    CHECK(sentence_of(finding).find(
              "The initial content of C, which is uninitialised memory, affects 5 of them") !=
          std::string::npos);
}

// --- model/xray_words.hpp ---

namespace {

Finding race() {
    return {.code = FindingCode::DataRace,
            .subject = "tile[3][4]",
            .place = "53:20",
            .numbers = {{"interval", 2}},
            .texts = {{"space", "local"},
                      {"access", "read"},
                      {"first_access", "write"},
                      {"first_place", "49:9"},
                      {"item", "(0, 1)"},
                      {"first_item", "(5, 0)"}}};
}

void set(Finding& finding, const std::string& name, const std::string& text) {
    for (auto& entry : finding.texts)
        if (entry.name == name) {
            entry.value = text;
            return;
        }
    finding.texts.push_back({name, text});
}

}  // namespace

TEST_CASE("a race names both work-items, both places, the element, the barriers before, and the remedy") {
    CHECK(sentence_of(race()) ==
          "work-item (0, 1) reads tile[3][4] at line 53:20 and work-item (5, 0) writes it at line 49:9, "
          "without a barrier between them (after barrier 2 of the group): put barrier(CLK_LOCAL_MEM_FENCE) "
          "between the two, where all work-items of the group reach it");
}

TEST_CASE("the cause of a finding is one short clause with its lines") {
    CHECK(xray_cause_of(race()) == "nothing waits between line 53 (reads) and line 49 (writes)");
    Finding fence = race();
    set(fence, "fence", "global");
    CHECK(xray_cause_of(fence) ==
          "the barrier between line 53 (reads) and line 49 (writes) does not order local memory");
    Finding groups = race();
    groups.numbers.push_back({"between_groups", 1});
    CHECK(xray_cause_of(groups) ==
          "nothing orders the work-groups between line 53 (reads) and line 49 (writes)");
    Finding same = race();
    set(same, "first_place", "53:20");
    CHECK(xray_cause_of(same) == "several work-items use tile[3][4] in line 53 at the same time");
    Finding copy = race();
    set(copy, "first_item", "group (0, 1)");
    CHECK(xray_cause_of(copy) == "nothing waits for the copy before line 53 (reads)");
    Finding outside{.code = FindingCode::OutsideBuffer, .subject = "A", .place = "tile.h:7:3"};
    CHECK(xray_cause_of(outside) == "an index in line 7 of tile.h is outside the buffer A");
    outside.texts = {{"loop", "k <= K"}, {"loop_instead", "k < K"}, {"loop_place", "6:1"}};
    CHECK(xray_cause_of(outside) == "the loop in line 6 runs one step too far");
    outside.place.clear();
    CHECK(xray_cause_of(outside).empty());
    CHECK(xray_cause_of({.code = FindingCode::WrongElements, .place = "C[0]"}).empty());
}

TEST_CASE("the remedy of a race depends on its memory, its places and its kind") {
    const auto says = [](const Finding& finding, const std::string& words) {
        CAPTURE(sentence_of(finding));
        return sentence_of(finding).find(words) != std::string::npos;
    };
    Finding global = race();
    set(global, "space", "global");
    CHECK(says(global, "put barrier(CLK_GLOBAL_MEM_FENCE) between"));

    Finding same = race();
    set(same, "first_place", "53:20");
    set(same, "access", "write");
    CHECK(says(same, "correct the index, so that each work-item has its own element"));
    CHECK_FALSE(says(same, "put barrier"));
    CHECK_FALSE(says(same, "atomic"));
    same.numbers.push_back({"one_dimension", 1});
    CHECK(says(same, "make it depend on get_global_id(1)"));
    same.numbers.push_back({"update", 1});
    CHECK(says(same, "use an atomic operation such as atomic_add"));
    for (const auto& [type, words] : {std::pair("uint", "atomic_add"),
                                      {"float", "atomic_cmpxchg"},
                                      {"long", "cl_khr_int64_base_atomics"},
                                      {"short", "no atomic operation on short"}}) {
        set(same, "type", type);
        CHECK(says(same, words));
    }

    Finding round = race();
    set(round, "barrier", "51:9");
    CHECK(says(round, "the barrier at line 51:9 does not separate these two"));
    CHECK_FALSE(says(round, "between the two"));

    Finding lock_step = race();
    lock_step.numbers.push_back({"sub_group", 32});
    CHECK(says(lock_step, "this relies on a sub-group of 32 in lockstep"));

    Finding half = race();
    set(half, "first_access", "atomic");
    CHECK(says(half, "make both accesses atomic"));

    Finding fence = race();
    set(fence, "fence", "local");
    CHECK(says(fence,
               "the barrier between them does not order local memory: write barrier(CLK_LOCAL_MEM_FENCE)"));

    Finding copy = race();
    set(copy, "first_item", "group (0, 0)");
    CHECK(says(copy, "an asynchronous copy by group (0, 0) writes it"));
    CHECK(says(copy, "nothing waits for that copy: put wait_group_events with its event between"));

    Finding first = race();
    first.numbers = {{"interval", 0}};
    CHECK(says(first, "(before any barrier of the group)"));

    Finding groups = race();
    groups.numbers = {{"between_groups", 1}};
    set(groups, "group", "(0, 0)");
    set(groups, "first_group", "(1, 0)");
    CHECK(says(groups, "work-item (0, 1) of group (0, 0) reads"));
    CHECK(says(groups, "work-item (5, 0) of group (1, 0) writes"));
    CHECK(says(groups, "nothing orders work-groups"));
    CHECK_FALSE(says(groups, "atomic"));
    groups.numbers.push_back({"update", 1});
    CHECK(says(groups, "atomic_add"));
}

TEST_CASE("a place in an included file is told with the file") {
    Finding finding = race();
    finding.place = "tile.h:12:3";
    CHECK(sentence_of(finding).find("at tile.h:12:3 and") != std::string::npos);
}

TEST_CASE("each finding of X-ray says who, where, and what to do") {
    const auto says = [](const Finding& finding) { return sentence_of(finding); };
    CHECK(says({.code = FindingCode::DivergentBarrier,
                .place = "20:5",
                .numbers = {{"waiting", 15}, {"items", 16}},
                .texts = {{"function", "barrier"}, {"item", "(0)"}, {"other_item", "(15)"}}}) ==
          "15 of 16 work-items of a group wait in barrier() at line 20:5, such as (0), while (15) has ended: "
          "all work-items of a group must reach the same barrier: put it outside conditions that differ "
          "between them, and return only after it");
    CHECK(says({.code = FindingCode::UnsetRead,
                .subject = "tile[0][1]",
                .place = "9:3",
                .texts = {{"space", "local"}, {"item", "(1, 0)"}}}) ==
          "work-item (1, 0) reads tile[0][1] at line 9:3, which is still uninitialised memory: store to it "
          "first, and put barrier(CLK_LOCAL_MEM_FENCE) before the read");
    CHECK(says({.code = FindingCode::OutsideArray,
                .subject = "tile",
                .place = "9:3",
                .numbers = {{"elements", 16}},
                .texts = {{"index", "16"}, {"type", "float[16]"}, {"access", "write"}, {"item", "(3)"}}}) ==
          "work-item (3) writes tile[16] at line 9:3, but tile is float[16]: correct the index, guard the "
          "access, or make it larger");
    CHECK(says({.code = FindingCode::OutsideBuffer,
                .subject = "A",
                .place = "9:3",
                .numbers = {{"element", 391}, {"elements", 391}},
                .texts = {{"access", "read"}, {"item", "(16, 0)"}}}) ==
          "work-item (16, 0) reads element 391 of A (valid 0 … 390), one past the end at line 9:3: guard the "
          "access by comparing the index with the size");
    CHECK(
        says({.code = FindingCode::Misaligned,
              .subject = "X[1]",
              .place = "9:3",
              .numbers = {{"bytes", 4}, {"needed_bytes", 16}},
              .texts = {{"access", "read"}, {"type", "float4"}, {"item", "(0)"}}})
            .find("a multiple of 4 bytes only, while float4 needs a multiple of 16: access it with vload4") !=
        std::string::npos);
    CHECK(
        says({.code = FindingCode::SignedOverflow,
              .place = "9:3",
              .texts = {{"operation", "2147483647 + 1"}, {"type", "int"}, {"item", "(0)"}}}) ==
        "work-item (0) computes 2147483647 + 1 at line 9:3, which int cannot hold: compute it in a wider or "
        "unsigned type, such as long or size_t");
    CHECK(says({.code = FindingCode::SignedOverflow,
                .place = "9:3",
                .texts = {{"operation", "1664100 * 1291"},
                          {"type", "int"},
                          {"item", "(0)"},
                          {"first_size", "1292"},
                          {"clean_size", "1291"}}}) ==
          "work-item (0) computes 1664100 * 1291 at line 9:3, which int cannot hold (X-ray saw it at size "
          "1292, but not at 1291): compute it in a wider or unsigned type, such as long or size_t");
    CHECK(
        says({.code = FindingCode::WrongInOtherOrder,
              .subject = "C",
              .place = "C[0][1]",
              .numbers = {{"wrong", 3}, {"elements", 9}},
              .texts = {{"expected", "4"}, {"got", "2"}}}) ==
        "in another order of the work-items, which OpenCL permits, 3 of 9 elements of C are wrong; the first "
        "is C[0][1]: expected 4, got 2");
}

TEST_CASE("what X-ray says of a foreign kernel, or at another size, is told so") {
    Finding finding = race();
    finding.numbers.push_back({"foreign", 1});
    set(finding, "sizes", "M=17 N=19");
    CHECK(sentence_of(finding).ends_with("(at size M=17 N=19) (observed in the kernel's own process)"));
    set(finding, "clean_at", "64");
    CHECK(sentence_of(finding).find("(at size M=17 N=19, not at 64)") != std::string::npos);
    finding.numbers.push_back({"beyond", 1});
    CHECK(sentence_of(finding).find("not at 64, where no work-item is beyond the size)") !=
          std::string::npos);
}
