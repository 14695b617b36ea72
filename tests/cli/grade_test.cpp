// SPDX-License-Identifier: Apache-2.0
// kwb grade: a small class. tests/class/run grades one of sixty.
#include <filesystem>
#include <fstream>
#include <set>

#include "base/file.hpp"
#include "base/text.hpp"
#include "kwb.hpp"

namespace kwb::test {
namespace {

/// The mistake that docs/teaching.md has as an example.
std::string documented_mistake() {
    const std::string page = read_file(std::filesystem::path(KWB_DOCS) / "teaching.md");
    const std::size_t begin = page.find("[[mistake]]");
    return page.substr(begin, page.find("```", begin) - begin);
}

const std::string kRubric =
    "title = \"Exercise\"\nproblem = \"matmul\"\nkernel = \"matmul.cl\"\ntimeout_s = 60\nlate_per_day = 10\n"
    "[[criterion]]\nname = \"compiles\"\npoints = 10\ncompiles = true\n"
    "[[criterion]]\nname = \"right\"\npoints = 40\nsizes = [\"16\", \"17\"]\neach = true\n"
    "[[criterion]]\nname = \"defined\"\npoints = 10\ndefined = true\n"
    "[[criterion]]\nname = \"few loads\"\npoints = 20\nat = \"64\"\nwhen = \"A.loads <= 4\"\n"
    "[[criterion]]\nname = \"fast\"\nfaster_than = \"matmul/naive\"\nat = \"64\"\nsteps = [[0.1, 20]]\n" +
    documented_mistake();

class Class {
public:
    Class() { folder_.write("rubric.toml", kRubric); }
    void hand_in(const std::string& path, const std::string& text) const {
        folder_.write("in/" + path, text);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
    Finished grade(Args more) const {
        Args args = {"grade", path("in"), "--rubric", path("rubric.toml")};
        args.insert(args.end(), more.begin(), more.end());
        return run_kwb(args, {{"XDG_DATA_HOME", path("data")}});
    }

private:
    TempFolder folder_;
};

}  // namespace

TEST_CASE("a class is graded: right, wrong, cheating and absent; and again from what is kept") {
    const Class of;
    const std::string tiled = kernel_source("matmul/02_tiled.cl");
    const std::string naive = kernel_source("matmul/01_naive.cl");
    of.hand_in("Ann_1_assignsubmission_file_/matmul.cl", tiled);
    of.hand_in("Bob_2_assignsubmission_file_/matmul.cl",
               replaced(naive, "if (row >= M || col >= N) return;", ""));
    of.hand_in(
        "Eve_3_assignsubmission_file_/matmul.cl",
        replaced(replaced(naive, "[launch]", "[[expect]]\nverdict = \"wrong\"\nwhy = \"so\"\n[launch]"),
                 "= sum;", "= 0;"));
    of.hand_in("doezoe_LATE_4_9_matmul.cl", naive);
    of.hand_in("Tim_6_assignsubmission_file_/matmul.cl", tiled);  // byte by byte that of Ann
    of.hand_in("Low_7_assignsubmission_file_/matmul.cl",
               replaced(naive, "C[(size_t)row * N + col] =", "C[(size_t)row * N + col - 1] ="));
    of.write("class.csv",
             "Identifier,Full name,Grade,Feedback comments\nParticipant 1,Ann,,\nParticipant 2,Bob,,\n"
             "Participant 3,Eve,,\nParticipant 5,Max,,\nParticipant 6,Tim,,\nParticipant 7,Low,,\n");
    const Finished done = of.grade({"--roster", of.path("class.csv"), "--csv", of.path("out.csv"), "--junit",
                                    of.path("out.xml"), "--report", of.path("pages")});
    INFO(done.out, done.err);
    REQUIRE(done.exit_code == 0);
    CHECK_SAYS(done.out, "doezoe_LATE_4_9_matmul.cl  doezoe is not in the roster");
    CHECK_SAYS(done.out, "Ann         100\n", "an index leaves its matrix", "Eve          10",
               "Max        open");
    const std::string csv = read_file(of.path("out.csv"));
    CHECK_SAYS(csv, "Participant 1,Ann,100,", "Participant 2,Bob,30,", "An index is below 0 or behind",
               "Participant 6,Tim,100,", "Participant 7,Low,", "Participant 3,Eve,10,",
               "Participant 5,Max,,\"nothing was handed in, unless doezoe_LATE_4_9_matmul.cl is from this "
               "student\"");
    CHECK_SAYS(read_file(of.path("out.xml")), "<testsuite name=\"Bob\" tests=\"5\" failures=\"4\">");
    CHECK_SAYS(read_file(of.path("pages/index.html")), "Bob_2.html", "Most common mistakes");
    CHECK_SAYS(read_file(of.path("pages/Bob_2.html")), "Bob, 30 of 100 points",
               "An index is below 0 or behind", "get_global_id");
    CHECK_SAYS(read_file(of.path("pages/Eve_3.html")), "wrong at size", "<svg");
    CHECK_SAYS(read_file(of.path("pages/doezoe_4.html")), "handed in late");

    const Finished again = of.grade({"--resume", "--csv", "-"});
    CHECK_TELLS(again, 0, "Ann,1,100,100,10,40,10,20,20,", "Bob,2,30,", "doezoe,4,70,",
                "Tim,6,100,100,10,40,10,20,20,");
    CHECK(again.out.find("the guard is missing") == std::string::npos);  // Low writes before C
    CHECK(again.err.find("timed") == std::string::npos);
    // Equal submissions were observed once.
    std::set<std::string> keys;
    for (const auto& entry : std::filesystem::directory_iterator(of.path("data/kwb/grades")))
        for (const std::string& line : split_lines(read_file(entry.path())))
            if (line.starts_with("{\"key\"")) keys.insert(line.substr(0, 80));
    CHECK(keys.size() == 5);
}

TEST_CASE("--decide asks what only the teacher can decide, and the answers count") {
    const Class of;
    of.write("rubric.toml", kRubric.substr(0, kRubric.find("[[criterion]]\nname = \"right\"")));
    of.hand_in("Ann/matmul.cl", kernel_source("matmul/01_naive.cl"));
    of.hand_in("Bob/a.cl", kernel_source("matmul/01_naive.cl"));
    of.hand_in("Bob/b.cl", "no kernel");
    of.hand_in("Eve.zip", "no archive");
    const Finished asks = of.grade({"--decide"});
    CHECK_TELLS(asks, 0, "Bob       open  matmul.cl is missing; found a.cl and b.cl", "Eve       open",
                "decisions.toml has an entry for each of them.");
    const std::string text = read_file(of.path("decisions.toml"));
    of.write("decisions.toml", replaced(replaced(text, "# kernel = \"Bob/a.cl\"", "kernel = \"Bob/a.cl\""),
                                        "points = 0\nremark = \"\"\nby = \"\"\n\n# Eve",
                                        "points = 0\nremark = \"\"\nby = \"me\"\n\n# Eve"));
    const Finished decided = of.grade({"--decide", "--report", of.path("pages"), "--csv", "-"});
    CHECK_SAYS(decided.out, "Bob,,10,10,10,", "Eve,,,10,,0,,,not graded yet: Eve.zip cannot be unpacked");
    CHECK_SAYS(read_file(of.path("pages/index.html")), "Needs your decision");
    of.write("decisions.toml",
             "[[decision]]\nfile = \"Eve.zip\"\npoints = 3\nremark = \"sent by mail\"\n"
             "by = \"Dr. Doe\"\n[[decision]]\nfile = \"Bob\"\npoints = 2\nby = \"me\"\n");
    const Finished all = of.grade({"--resume", "--report", of.path("pages")});
    CHECK_TELLS(all, 0, "Eve          3  decided by Dr. Doe, originally open");
    CHECK_SAYS(read_file(of.path("pages/Eve.html")), "3 of 10 points", "decided by Dr. Doe, originally open",
               "sent by mail");
    of.write("decisions.toml", "[[decision]]\nfile = \"Evi.zip\"\npoints = 3\nby = \"me\"\n");
    CHECK_REFUSED(of.grade({}), 2,
                  "decisions.toml:1:1: no submission is called Evi.zip. Did you mean Eve.zip?");
    CHECK_REFUSED(of.grade({"--decisions", of.path("none.toml")}), 2, "none.toml");
}

TEST_CASE("--self tells a student why points are lost, in the words of the teacher's grading") {
    const Class of;
    of.write("me/matmul.cl", replaced(kernel_source("matmul/01_naive.cl"), "= sum;", "= sum + 1;"));
    of.write("me/notes/old.cl", "not the one");
    const Args args = {"grade", "--self", of.path("me"), "--rubric", of.path("rubric.toml")};
    const NamedList<std::string> data = {{"XDG_DATA_HOME", of.path("data")}};
    const Finished self = run_kwb(args, data);
    CHECK_TELLS(self, 0, "10 of 10  compiles\n", "0 of 40  right\n    right at 0 of 2 sizes; wrong at size ",
                "0 of 20  fast\n    only correct submissions are timed", "10 of 100 points\n");
    std::filesystem::create_directories(of.path("in"));
    std::filesystem::rename(of.path("me"), of.path("in/me"));
    CHECK_SAYS(of.grade({"--csv", "-"}).out, "me,,10,100,10,0,0,0,0,",
               "right at 0 of 2 sizes; wrong at size ");
    of.write("two/a.cl", "1");
    of.write("two/b.cl", "2");
    CHECK_TELLS(run_kwb({"grade", "--self", of.path("two"), "--rubric", of.path("rubric.toml")}, data), 0,
                "Cannot be graded: matmul.cl is missing; found a.cl and b.cl.");
    CHECK_REFUSED(run_kwb({"grade", "--self", of.path("none"), "--rubric", of.path("rubric.toml")}), 2,
                  "Give your folder or kernel");
    CHECK_REFUSED(of.grade({"--self", "--roster", of.path("r.csv")}), 2,
                  "--self and --roster cannot be combined");
}

TEST_CASE("no page of a student replaces another, and a reference may be one of --kernels") {
    const Class of;
    of.write("rubric.toml",
             "title = \"T\"\nproblem = \"matmul\"\n"
             "[[criterion]]\nname = \"fast\"\nfaster_than = \"my/own\"\nat = \"16\"\n"
             "steps = [[0.01, 5]]\n");
    of.write("kernels/my/own.cl", kernel_source("matmul/01_naive.cl"));
    of.write("class.csv", "name,id\nindex,\nKim,n/a\nsimilar,\n");
    for (const char* name : {"index", "similar"})
        of.hand_in(std::string(name) + ".cl", kernel_source("matmul/01_naive.cl"));
    const Finished graded = of.grade(
        {"--kernels", of.path("kernels"), "--roster", of.path("class.csv"), "--report", of.path("pages")});
    CHECK_MESSAGE(graded.exit_code == 0, graded.err);
    std::set<std::string> pages;
    for (const auto& page : std::filesystem::directory_iterator(of.path("pages")))
        pages.insert(page.path().filename().string());
    CHECK(pages == std::set<std::string>{"Kim_n_a.html", "index.html", "index_2.html", "similar.html",
                                         "similar_2.html"});
    CHECK(has(read_file(of.path("pages/index.html")), "href=\"index_2.html\""));
    CHECK_REFUSED(of.grade({}), 2, "my/own");
}

TEST_CASE("similar sources are listed, whatever their names are, but not what the teacher gave") {
    const Class of;
    const std::string naive = kernel_source("matmul/01_naive.cl"),
                      tiled = kernel_source("matmul/02_tiled.cl");
    of.write("rubric.toml", "given = [\"matmul/naive\"]\n" +
                                kRubric.substr(0, kRubric.find("[[criterion]]\nname = \"right\"")));
    of.hand_in("Ann Lee/matmul.cl", tiled);
    of.hand_in("Bj\xc3\xb6rn/matmul.cl",
               replaced(replaced(replaced(tiled, "float sum =", "float total ="), ") sum +=", ") total +="),
                        "= sum;", "= total;"));
    of.hand_in("Cem/matmul.cl", naive + "// yours\n");
    of.hand_in("Dee/matmul.cl", naive + "// mine\n");
    of.hand_in("Eve/matmul.cl", replaced(naive, "float sum = 0.0f;", "float sum = 0.0f, more = sum;"));
    of.hand_in("Fay/matmul.cl", "kernel void broken(");
    const Finished done = of.grade({"--report", of.path("pages")});
    CHECK_TELLS(done, 0, "Ann Lee and Bj\xc3\xb6rn  the same but for names and formatting",
                "Similar sources have many causes");
    CHECK(done.out.find("Cem and") == std::string::npos);
    CHECK_SAYS(read_file(of.path("pages/index.html")),
               "<a href=\"similar.html\">Ann Lee and Bj\xc3\xb6rn</a>");
    CHECK_SAYS(read_file(of.path("pages/similar.html")), "float total = 0.0f;");
    of.write("rubric.toml", "given = [\"exercise.cl\"]\n" + kRubric);
    CHECK_REFUSED(of.grade({}), 2, "given = \"exercise.cl\": ");
}

TEST_CASE("a criterion may be computed for a GPU that is not there, and a comment tells so") {
    const Class of;
    const std::string head = kRubric.substr(0, kRubric.find("[[criterion]]"));
    const auto fact = [](const std::string& when) {
        return "[[criterion]]\nname = \"c\"\npoints = 10\nat = \"64\"\nwhen = \"" + when + "\"\n";
    };
    of.write("rubric.toml", head + fact("a100.bound_ns <= 1") + fact("a100.bound_ns > 1") +
                                fact("gfx906.occupancy <= 1 and A.loads <= 4"));
    of.hand_in("Ann/matmul.cl", kernel_source("matmul/02_tiled.cl"));
    const Finished done = of.grade({"--comment", of.path("comment.md")});
    CHECK_TELLS(done, 0, "Ann         20  at size 64, this is false: a100.bound_ns <= 1; a100.bound_ns is ");
    CHECK_SAYS(read_file(of.path("comment.md")), "20 of 30 points", "computed, not measured");
    of.write("rubric.toml", head + fact("b999.occupancy > 0"));
    CHECK_REFUSED(of.grade({}), 2, "in `b999.occupancy > 0`, ");
}

TEST_CASE("a criterion may be timed at another place than the checks") {
    const Class of;
    const std::string on = "steps = [[0.1, 20]]\non = \"lab\"\n";
    of.write("rubric.toml",
             replaced(kRubric, "steps = [[0.1, 20]]\n", on) +
                 "[[criterion]]\nname = \"portable\"\nshare_of = [\"matmul/naive\"]\nat = \"64\"\n"
                 "on = [\"lab\", \"here\"]\nsteps = [[0.01, 5]]\n");
    of.write("config/kwb/settings.toml", "[places]\nlab = \"env '" KWB_JUDGE_PROGRAM "'\"\n");
    of.hand_in("Ann/matmul.cl", kernel_source("matmul/02_tiled.cl"));
    const auto grade = [&](const std::string& config) {
        return run_kwb(
            {"grade", of.path("in"), "--rubric", of.path("rubric.toml"), "--report", of.path("pages")},
            {{"XDG_DATA_HOME", of.path("data")}, {"XDG_CONFIG_HOME", of.path(config)}});
    };
    CHECK_TELLS(grade("config"), 0, "Ann         105");
    CHECK_SAYS(read_file(of.path("pages/Ann.html")), "<h2>fast on lab</h2>", "<h2>portable here</h2>");
    CHECK_REFUSED(grade("none"), 2, "rubric.toml: on = \"lab\": ");
    CHECK_TELLS(run_kwb({"grade", "--self", of.path("in/Ann"), "--rubric", of.path("rubric.toml")}), 0,
                "80 of 80 points");
    CHECK_REFUSED(run_kwb({"grade", "--rubric", of.path("rubric.toml"), "--autograder", of.path("a")}), 2,
                  "on = \"lab\": Gradescope's container cannot reach other machines");
}

TEST_CASE("an autograder for Gradescope grades what it finds where Gradescope puts it") {
    const Class of;
    // Gradescope has its own deadline, and the time of its copy says nothing.
    of.write("rubric.toml",
             "deadline = 2026-01-01T00:00:00Z\n" + replaced(kRubric, "matmul/naive", "ref/naive.cl"));
    of.write("ref/naive.cl", kernel_source("matmul/01_naive.cl"));
    const Finished made =
        run_kwb({"grade", "--rubric", of.path("rubric.toml"), "--autograder", of.path("a/source")});
    CHECK_TELLS(made, 0, "a/source is complete when you add the package of kwb (kwb*.deb)");
    CHECK(read_file(of.path("a/source/ref/naive.cl")) == kernel_source("matmul/01_naive.cl"));
    of.write("a/submission/matmul.cl", kernel_source("matmul/02_tiled.cl"));
    ProcessOptions autograder = kwb_command({});
    const auto programs = std::filesystem::path(autograder.command.front()).parent_path();
    autograder.command = {of.path("a/source/run_autograder")};
    autograder.environment.push_back({"PATH", programs.string() + ":/usr/bin:/bin"});
    autograder.environment.push_back({"AUTOGRADER", of.path("a")});
    const Finished graded = run_process(autograder);
    INFO(graded.out, graded.err);
    REQUIRE(graded.exit_code == 0);
    const auto results = nlohmann::json::parse(read_file(of.path("a/results/results.json")));
    CHECK(results["score"] == 100);
    CHECK(results["leaderboard"][0]["name"] == "fast (ms)");
    of.write("deep/rubric.toml", replaced(kRubric, "matmul/naive", "../ref/naive.cl"));
    CHECK_REFUSED(run_kwb({"grade", "--rubric", of.path("deep/rubric.toml"), "--autograder", of.path("b")}),
                  2, "faster_than = \"../ref/naive.cl\": move this file into the rubric's folder");
    CHECK_REFUSED(run_kwb({"grade", "--rubric", of.path("rubric.toml")}), 2,
                  "give the folder with the submissions");
}

TEST_CASE("what is wrong with a rubric, a roster or a folder is said before anything runs") {
    const Class of;
    of.hand_in("a.cl", kernel_source("matmul/01_naive.cl"));
    const auto with = [&](const std::string& from, const std::string& to) {
        of.write("rubric.toml", replaced(kRubric, from, to));
        return of.grade({});
    };
    CHECK_REFUSED(with("\"17\"", "\"17x\""), 2, "rubric.toml: size \"17x\": ");
    CHECK_REFUSED(with("problem = \"matmul\"", "problem = \"matmult\""), 2, "rubric.toml: ", "matmult");
    CHECK_REFUSED(with("matmul/naive", "matmul/nave"), 2, "faster_than = \"matmul/nave\"");
    CHECK_REFUSED(with("A.loads <= 4", "A.loads <= "), 2, "rubric.toml:");
    CHECK_REFUSED(with("A.loads <= 4", "verdict <= 4"), 2, "rubric.toml: in `verdict <= 4`");
    CHECK_REFUSED(with("\"17\"", "\"60000\""), 2, "rubric.toml: size \"60000\": buffer A needs");
    CHECK_REFUSED(with("faster_than = \"matmul/naive\"\nat = \"64\"",
                       "share_of = [\"matmul/naive\"]\nat = \"64\"\non = [\"a\", \"b\", \"a\"]"),
                  2, "on names a twice. Name each place once");
    of.write("wrong.cl", replaced(kernel_source("matmul/01_naive.cl"), "= sum;", "= 1;"));
    CHECK_REFUSED(with("matmul/naive", "wrong.cl"), 2, "the reference wrong.cl is wrong at 64");
    of.write("rubric.toml", kRubric);
    of.write("class.csv", "name\nA\nA\n");
    CHECK_REFUSED(of.grade({"--roster", of.path("class.csv")}), 2, "A appears twice");
    CHECK_REFUSED(of.grade({"--csv", of.path("none/out.csv")}), 2, "none/out.csv");
    of.write("class.csv", "name\nA\n");
    for (const char* input : {"rubric.toml", "class.csv", "decisions.toml"}) {
        of.write("decisions.toml", "decision = [{ student = \"A\", points = 1, by = \"me\" }]\n");
        const std::string before = read_file(of.path(input));
        CHECK_REFUSED(of.grade({"--roster", of.path("class.csv"), "--csv", of.path(input)}), 2, input,
                      "would replace what is read for grading");
        CHECK(read_file(of.path(input)) == before);
    }
    // The questions are told, though the file takes no entries.
    of.write("in/Two/1.cl", "");
    of.write("in/Two/2.cl", "");
    const std::string inline_list = read_file(of.path("decisions.toml"));
    const Finished told = of.grade({"--roster", of.path("class.csv"), "--decide"});
    CHECK(told.exit_code == 2);
    CHECK_SAYS(told.out, "needs your decision");
    CHECK_SAYS(told.err, "no entry can be added after `decision = […]`");
    CHECK(read_file(of.path("decisions.toml")) == inline_list);
    std::filesystem::remove(of.path("decisions.toml"));
    std::filesystem::remove_all(of.path("in/Two"));
    of.hand_in("b.cl", "");
    CHECK_REFUSED(of.grade({"--gradescope", of.path("out.json")}), 2, "--gradescope takes one submission");
    for (const char* option : {"--classroom", "--comment"})
        CHECK_REFUSED(of.grade({option, of.path("out.json")}), 2,
                      option + std::string(" takes one submission, but "),
                      " has 2; --csv covers all of them");
    CHECK_REFUSED(run_kwb({"grade", of.path("none"), "--rubric", of.path("rubric.toml")}), 2,
                  "Give the folder with the submissions");
}
}  // namespace kwb::test
