// SPDX-License-Identifier: Apache-2.0
// kwb learn: the course, as somebody takes it who types commands.
#include <signal.h>

#include <fstream>

#include "base/file.hpp"
#include "kwb.hpp"

namespace kwb::test {
namespace {

/// A person with a folder of their own, and a data folder.
class Learner {
public:
    const std::filesystem::path& path() const { return folder_.path(); }
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }

    ProcessOptions command(const Args& args) const {
        ProcessOptions options = kwb_command(args);
        options.command.insert(options.command.begin(), {"env", "-C", path().string()});
        options.environment.push_back({"XDG_DATA_HOME", (path() / "data").string()});
        return options;
    }
    Finished learn(Args args) const {
        args.insert(args.begin(), "learn");
        return Process(command(args)).finish();
    }
    /// Look at what is saved in place of the exercise of lesson 2.
    Finished save(const std::string& text) const {
        folder_.write("02_many_work_items.cl", text);
        return learn({"2", "--once"});
    }
    /// The solution of lesson 2.
    static std::string solution() { return read_file(lesson2() / "solution/exercise.cl"); }
    static std::filesystem::path lesson2() {
        return std::filesystem::path(KWB_SHIPPED_LESSONS) / "02_many_work_items";
    }

private:
    TempFolder folder_;
};

}  // namespace

TEST_CASE("a lesson from its copy to its end") {
    const Learner learner;
    CHECK_TELLS(learner.learn({}), 0, "  1   One work-item", "  6   Sharing", "Continue with: kwb learn 1");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "# 2. Many work-items", "get_global_id(0)` is the number",
                "02_many_work_items.cl:14:19", "blank not filled in", "const int i = ____;",
                "                  ^");
    CHECK(read_file(learner.file("02_many_work_items.cl")) == read_file(Learner::lesson2() / "exercise.cl"));
    CHECK_TELLS(learner.save(replaced(Learner::solution(), "if (i < N) ", "")), 1,
                "✗ out_of_bounds at size N=1", "→ An index is outside 0 … N - 1");
    std::ofstream(learner.file("02_many_work_items.cl")) << replaced(Learner::solution(), "i < N", "i < n");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1,
                "✗ compile_error: ", "cl:15:13: use of undeclared identifier 'n'",
                "   15 |     if (i < n) C[i] = A[i] + B[i];");
    // A loop that never ends is named with its line, and what a kernel prints is shown.
    const Finished endless = learner.save(replaced(Learner::solution(), "if (i < N)", "while (i < N)"));
    CHECK_TELLS(endless, 1, "✗ timeout at size N=1: a loop does not end at line 15 in work-item ",
                "check its condition and what changes it");
    CHECK(endless.out.find("smaller size") == std::string::npos);
    std::ofstream(learner.file("02_many_work_items.cl")) << replaced(
        Learner::solution(), "if (i < N) C", "if (i == 0) printf(\"N is %d\\n\", N); if (i < 0) C");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "printed at size N=1:\n    N is 1\n");
    CHECK_TELLS(learner.learn({"many_work_items", "--hint"}), 0, "Hint 1 of 3");
    CHECK_TELLS(learner.learn({"02", "--hint"}), 0, "Hint 2 of 3");
    CHECK_TELLS(learner.learn({"2", "--hint"}), 0, "Hint 3 of 3", "i < N");
    CHECK_TELLS(learner.learn({"2", "--hint"}), 0, "Hint 3 of 3", "This is the last hint; 'kwb learn 2",
                "--show-solution' shows a solution");
    CHECK_TELLS(learner.learn({}), 0, "(begun: " + learner.file("02_many_work_items.cl").string());
    // A hint that looks at a step is followed by the command that shows it.
    CHECK_TELLS(learner.learn({"16", "--hint"}), 0, "Hint 1 of 3", "kwb debug ",
                "--size 64 --lane 5,3 --at \"26 if k == 16\"");
    CHECK(learner.learn({"16", "--hint"}).out.find("if first == 16") != std::string::npos);
    CHECK(learner.learn({"16", "--hint"}).out.find("kwb debug") == std::string::npos);
    CHECK_TELLS(learner.save(Learner::solution()), 0, "✓ correct at 1, 63, 64, 1000",
                "✓ each element has a work-item", "Solved. Next: kwb learn 3");
    CHECK_TELLS(learner.learn({}), 0, "  2 ✓ Many work-items", "Continue with: kwb learn 1");
}

TEST_CASE("saving the file is enough; also an editor that replaces it, and one that deletes it") {
    const Learner learner;
    Process process(learner.command({"learn", "2"}));
    process.wait_for_stderr("attempt 1: waiting for the next save");
    write_file(learner.file("new.cl"), replaced(Learner::solution(), "get_global_id", "get_local_id"));
    std::filesystem::rename(learner.file("new.cl"), learner.file("02_many_work_items.cl"));
    process.wait_for_stderr("attempt 2: waiting for the next save");
    std::ofstream(learner.file("02_many_work_items.cl")) << Learner::solution();
    const Finished finished = process.finish();
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.out, "blank not filled in", "i must take each value from 0 to N - 1 once", "Solved.");
}

TEST_CASE("a second watcher of a file is told") {
    const Learner learner;
    Process first(learner.command({"learn", "2"}));
    first.wait_for_stderr("waiting for the");
    Process second(learner.command({"learn", "2"}));
    second.wait_for_stderr("another 'kwb learn' is watching this file, too");
    std::ofstream(learner.file("02_many_work_items.cl")) << Learner::solution();
    CHECK(first.finish().exit_code == 0);
    CHECK(second.finish().exit_code == 0);
}

TEST_CASE("an exercise that is deleted meanwhile, and Ctrl-C") {
    const Learner learner;
    Process deleted(learner.command({"learn", "2"}));
    deleted.wait_for_stderr("waiting for the");
    std::filesystem::remove(learner.file("02_many_work_items.cl"));
    CHECK_SAYS(deleted.finish().out, "was removed; 'kwb learn 2' makes a new copy");
    Process stopped(learner.command({"learn", "2"}));
    stopped.wait_for_stderr("waiting for the");
    stopped.send_signal(SIGINT);
    CHECK(stopped.finish().exit_code == 130);
}

TEST_CASE("the story, the solution and words are shown when they are asked for") {
    const Learner learner;
    CHECK_TELLS(learner.learn({"6", "--story"}), 0, "# 6. Sharing", "barrier(CLK_LOCAL_MEM_FENCE);");
    CHECK_TELLS(learner.learn({"6", "--show-solution"}), 0, "a[y][x] = row < M");
    CHECK_TELLS(learner.learn({"word", "Coalesced"}), 0, "neighbouring addresses");
    CHECK_FALSE(std::filesystem::exists(learner.file("06_sharing.cl")));
}

TEST_CASE("another language, where there are texts in it") {
    const Learner learner;
    CHECK_TELLS(learner.learn({"6", "--story", "--language", "zh"}), 0, "# 6. 共享",
                "barrier(CLK_LOCAL_MEM_FENCE);");
    CHECK_TELLS(learner.learn({"2", "--once", "--language", "zh"}), 1, "# 2. 许多工作项", "? N = 1000",
                "--predict items=NUMBER");
    std::ofstream(learner.file("02_many_work_items.cl")) << replaced(Learner::solution(), "if (i < N) ", "");
    CHECK_TELLS(learner.learn({"2", "--once", "--language", "zh"}), 1, "out_of_bounds",
                "→ 有一个下标不在 0 … N - 1 之内");
    CHECK_TELLS(learner.learn({"word", "barrier", "--language", "zh"}), 0, "屏障");
    CHECK_TELLS(learner.learn({"7", "--story", "--language", "zh"}), 0, "# 7. Races");
    CHECK_REFUSED(learner.learn({"--language", "../zh"}), 2, "--language ../zh", "such as zh");
    ProcessOptions of_locale = learner.command({"learn", "1", "--story"});
    std::erase_if(of_locale.environment, [](const auto& known) { return known.name == "LC_ALL"; });
    of_locale.environment.push_back({"LC_ALL", "zh_CN.UTF-8"});
    CHECK_TELLS(Process(of_locale).finish(), 0, "# 1. 一个工作项");
}

TEST_CASE("predict, run, explain") {
    const Learner learner;
    const std::filesystem::path course = learner.file("course");
    std::filesystem::create_directories(course);
    std::filesystem::copy(Learner::lesson2(), course / "02_many_work_items",
                          std::filesystem::copy_options::recursive);
    for (const char* more : {"lesson.zh.toml", "attempts.toml"})
        std::filesystem::remove(course / "02_many_work_items" / more);
    const std::string head = read_file(Learner::lesson2() / "lesson.toml");
    std::ofstream(course / "02_many_work_items/lesson.toml")
        << head.substr(0, head.find("[[prediction]]"))
        << "[[prediction]]\nname = \"stores\"\nasks = \"How often is each element of C stored?\"\n"
           "value = \"C.stores\"\nanswer = \"1\"\nsays = \"One work-item stores it.\"\n"
           "[[prediction]]\nname = \"more\"\nasks = \"Twice as many?\"\nchoices = [\"yes\", \"no\"]\n"
           "value = \"work_items > 2\"\nanswer = \"yes\"\nafter = true\nsays = \"They are rounded up.\"\n";
    const auto learn = [&](Args args) {
        args.insert(args.end(), {"--lessons", course.string()});
        return learner.learn(std::move(args));
    };
    CHECK_TELLS(learn({"2", "--once"}), 1, "What do you predict?", "? How often is each element of C stored?",
                "kwb learn 2 --predict stores=NUMBER");
    CHECK_REFUSED(learn({"2", "--predict", "stores=often"}), 2, "must be a number");
    CHECK_REFUSED(learn({"2", "--predict", "stores=-1"}), 2, "of at least 0");
    CHECK_REFUSED(learn({"2", "--predict", "store=1"}), 2, "lesson 2 asks for stores and more");
    CHECK_REFUSED(learn({"2", "--predict", "more=yes"}), 2, "after the exercise is solved");
    CHECK_TELLS(learn({"2", "--predict", "stores=2"}), 0, "stores: 2.");
    std::ofstream(learner.file("02_many_work_items.cl")) << Learner::solution();
    CHECK_TELLS(learn({"2", "--once"}), 0,
                "Predicted and measured:", "✗ You predicted 2; it is 1. One work-item stores it.",
                "One more question:", "Twice as many? (yes, no)", "--predict more=yes");
    CHECK_TELLS(learn({"2", "--predict", "more=yes"}), 0,
                "✓ You predicted yes, and it is yes. They are rounded up.");
    CHECK_TELLS(learner.learn({"--verify", (course / "02_many_work_items").string()}), 0,
                "✓ 02_many_work_items");
    std::ofstream(course / "02_many_work_items/lesson.toml", std::ios::app)
        << "[[prediction]]\nname = \"wrong\"\nasks = \"?\"\nvalue = \"C.stores\"\nanswer = \"2\"\nsays = "
           "\"-\"\n";
    std::ofstream(course / "02_many_work_items/lesson.md", std::ios::app)
        << "[there](nowhere.md), and `kwb learn word barier`\n";
    CHECK_TELLS(learner.learn({"--verify", course.string()}), 1,
                "the prediction \"wrong\" expects 2, but it is 1", "broken link: nowhere.md does not exist",
                "glossary.toml");
}

TEST_CASE("why: the answer is compared with the reasons that X-ray counts") {
    const Learner learner;
    const std::filesystem::path course = learner.file("course");
    std::filesystem::create_directories(course);
    const std::filesystem::path shipped = std::filesystem::path(KWB_SHIPPED_LESSONS) / "05_neighbours";
    std::filesystem::copy(shipped, course / "05_neighbours", std::filesystem::copy_options::recursive);
    std::filesystem::remove(course / "05_neighbours/attempts.toml");
    const auto learn = [&](Args args) {
        args.insert(args.begin(), "5");
        args.insert(args.end(), {"--lessons", course.string()});
        return learner.learn(std::move(args));
    };
    CHECK_REFUSED(learn({"--predict", "why=coalescing"}), 2, "asked after the exercise is solved");
    std::ofstream(learner.file("05_neighbours.cl")) << read_file(shipped / "solution/exercise.cl");
    CHECK_TELLS(learn({"--once"}), 0, "More questions:", "? Why does a GPU run your kernel faster",
                "kwb learn 5 --predict 'why=global traffic'");
    CHECK_REFUSED(learn({"--predict", "why=magic"}), 2, "must be one of");
    const char* const found = "your kernel touches 1.00 times as many bytes as its sub-groups request, the";
    CHECK_TELLS(learn({"--predict", "why=divergence"}), 0, "✗ You answered divergence; X-ray counts", found,
                "lines 20 and 21", "Both load each element equally");
    CHECK_TELLS(learn({"--predict", "why=coalescing"}), 0,
                "✓ You answered coalescing, and X-ray counts it: " + std::string(found).substr(0, 20));
    // A lesson that expects something else.
    const std::string toml = read_file(shipped / "lesson.toml");
    write_file(course / "05_neighbours/lesson.toml",
               replaced(toml, "answer = \"coalescing\"", "answer = \"bank conflicts\""));
    CHECK_TELLS(learn({"--predict", "why=bank conflicts"}), 0,
                "✗ You answered bank conflicts; X-ray counts coalescing: ",
                "The lesson expects bank conflicts, but X-ray does not");
    CHECK_TELLS(learner.learn({"--verify", (course / "05_neighbours").string()}), 1,
                "the prediction \"why\" expects bank conflicts, but it is coalescing");
}

TEST_CASE("an author's mistakes are told") {
    const TempFolder folder;
    const std::filesystem::path lesson = folder / "02_many_work_items";
    std::filesystem::copy(Learner::lesson2(), lesson, std::filesystem::copy_options::recursive);
    std::filesystem::remove(lesson / "attempts.toml");
    write_file(lesson / "solution/exercise.cl",
               replaced(Learner::solution(), "round_up(N, local.x)", "local.x"));
    write_file(lesson / "lesson.toml", replaced(read_file(lesson / "lesson.toml"),
                                                "'get_global_id', 'get_local_id'", "'if (i < N) ', ''"));
    CHECK_TELLS(run_kwb({"learn", "--verify", lesson.string()}), 1, "✗ 02_many_work_items",
                "the solution does not solve the exercise", "wrong at size N=1000",
                "\"the local id\", kernel 1, is not recognised, but taken for \"no guard",
                "failed_buffer=", "findings=[");
    write_file(lesson / "attempts.toml", "\"one element too few\" = [\n    ['if (i < N) ', ''],\n]\n");
    CHECK_TELLS(run_kwb({"learn", "--verify", lesson.string()}), 1,
                "attempts.toml:2: the outcome is not \"one element too few\", but taken for \"no guard");
}

TEST_CASE("bad input: one sentence, and nothing is lost") {
    const Learner learner;
    CHECK_REFUSED(learner.learn({"7000"}), 2, "there is no lesson 7000.", "'kwb learn' lists them");
    CHECK_REFUSED(learner.learn({"sharin"}), 2, "Did you mean sharing?");
    CHECK_TELLS(learner.learn({"word"}), 0, "NDRange, occupancy");
    CHECK_REFUSED(learner.learn({"word", "local", "memory"}), 2, "in quotes if it contains a space");
    CHECK_REFUSED(learner.learn({"word", "workitem"}), 2, "Did you mean work-item?");
    CHECK_REFUSED(learner.learn({"2", "3"}), 2, "give one lesson at a time");
    CHECK_REFUSED(learner.learn({"--hint"}), 2, "which lesson?");
    CHECK_REFUSED(learner.learn({"--lessons", learner.path().string()}), 2, "no lessons found");
    CHECK_REFUSED(learner.learn({"2", "--hint", "--story"}), 2, "--hint");
    // Replaced by something else.
    std::ofstream(learner.file("02_many_work_items.cl"), std::ios::binary) << std::string("\0\1\2", 3);
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "02_many_work_items.cl");
    std::ofstream(learner.file("02_many_work_items.cl"))
        << read_file(std::filesystem::path(KWB_SHIPPED_LESSONS) / "03_two_dimensions/solution/exercise.cl");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "this lesson needs problem = \"vector_add\"");
    std::ofstream(learner.file("02_many_work_items.cl")) << '\n';
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "is empty; delete it, and 'kwb learn 2' makes a new copy");
    // What makes a wrong kernel right is no solution.
    std::ofstream(learner.file("02_many_work_items.cl"))
        << replaced(replaced(Learner::solution(), "C[i] = A[i] + B[i];", "C[i] += A[i] + B[i];"),
                    "\n[launch]", "\n[init]\nC = 0\n\n[launch]");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1, "remove [init]");
    // Nor is another launch.
    std::ofstream(learner.file("02_many_work_items.cl"))
        << replaced(Learner::solution(), "local  = [64]", "local  = [32]");
    CHECK_TELLS(learner.learn({"2", "--once"}), 1,
                "`local` in the front matter must stay unchanged; in the exercise it is 64");
    // Progress that is damaged stays, and stops nobody.
    std::filesystem::create_directories(learner.file("data/kwb"));
    std::ofstream(learner.file("data/kwb/course.jsonl")) << "[3]";
    CHECK_REFUSED(learner.learn({}), 2, "course.jsonl", "Move the file away");
    std::ofstream(learner.file("02_many_work_items.cl")) << Learner::solution();
    const Finished finished = learner.learn({"2", "--once"});
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "your progress is not saved", "Move the file away");
    CHECK(read_file(learner.file("data/kwb/course.jsonl")) == "[3]");
}

}  // namespace kwb::test
