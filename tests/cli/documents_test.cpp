// SPDX-License-Identifier: Apache-2.0
// Runs every command that README.md, docs and the READMEs of kernels show. documents.toml lists the commands
// that differ.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include "base/text.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = fs::path(KWB_DOCS).parent_path();

/// Part of a document: a file that it shows, or a command.
struct Piece {
    std::string file;  ///< empty: a command
    std::string text;
    std::size_t line = 0;
};

/// "`smooth.cl`, the one in question:" → "smooth.cl"; empty if the paragraph names no such file
std::string file_named_in(const std::string& paragraph) {
    std::string found;
    const std::regex name("`([a-z0-9_]+\\.(cl|cl\\.toml))`");
    for (std::sregex_iterator at(paragraph.begin(), paragraph.end(), name), end; at != end; ++at)
        found = (*at)[1];
    return found;
}

/// The command without prompt and comment; empty if the line is none.
/// @param needs_prompt  in a block that also shows output, a command begins with "$ "
std::string command_in(const std::string& line, bool needs_prompt) {
    std::string text(trim(line));
    if (text.starts_with("$ "))
        text.erase(0, 2);
    else if (needs_prompt)
        return "";
    if (!std::regex_search(text, std::regex("^([A-Z_]+=\\S+ )*kwb [a-z-]"))) return "";
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' || text[i] == '\'') is_quoted = !is_quoted;
        if (text[i] == '#' && !is_quoted && text[i - 1] == ' ') text.resize(i);
    }
    return std::string(trim(text));
}

/// All commands of a document, and the kernels in blocks of C after a paragraph that names the file.
std::vector<Piece> read_pieces(const std::string& document) {
    std::vector<Piece> pieces;
    std::string paragraph, language;
    std::optional<Piece> kernel;
    bool in_block = false, has_prompts = false;
    std::size_t number = 0;
    const std::vector<std::string> lines = split_lines(document);
    for (const std::string& line : lines) {
        ++number;
        if (line.starts_with("```")) {
            in_block = !in_block;
            if (kernel) pieces.push_back(*kernel);
            kernel.reset();
            if (!in_block) continue;
            language = line.substr(3);
            if (language == "c")
                if (const std::string file = file_named_in(paragraph); !file.empty())
                    kernel = Piece{file, "", number};
            const auto end = std::find(lines.begin() + static_cast<long>(number), lines.end(), "```");
            has_prompts = std::any_of(lines.begin() + static_cast<long>(number), end,
                                      [](const std::string& inner) { return inner.starts_with("$ "); });
            paragraph.clear();
        } else if (kernel) {
            kernel->text += line + "\n";
        } else if (in_block || line.starts_with("    ")) {
            const bool may_hold_commands =
                !in_block || language.empty() || language == "sh" || language == "console";
            if (const std::string text = command_in(line, in_block && has_prompts);
                may_hold_commands && !text.empty())
                pieces.push_back({"", text, number});
        } else {
            if (line.starts_with("#")) paragraph.clear();
            paragraph += line + "\n";
        }
    }
    return pieces;
}

/// How a command is run; see documents.toml.
struct Rule {
    std::string has, document, why, before, add;
    bool runs = true;
    std::vector<std::string> replace = {};
    int exit_code = 0;
    bool is_used = false;
};

/// A file that a reader has, and the commands that make it.
struct OwnFile {
    std::string name, commands;
    bool is_used = false;
};

std::vector<OwnFile> read_files(const toml::table& file) {
    std::vector<OwnFile> files;
    for (const auto& [name, commands] : *file["files"].as_table())
        files.push_back({std::string(name.str()), commands.value_or(std::string())});
    return files;
}

std::vector<Rule> read_rules(const toml::table& file) {
    std::vector<Rule> rules;
    for (const toml::node& node : *file["command"].as_array()) {
        const toml::table& entry = *node.as_table();
        const auto text = [&](const char* key) { return entry[key].value_or(std::string()); };
        Rule rule{text("has"), text("document"), text("why"), text("before"), text("add")};
        rule.runs = entry["runs"].value_or(true);
        rule.exit_code = static_cast<int>(entry["exit"].value_or(0));
        if (const toml::array* both = entry["replace"].as_array())
            rule.replace = {both->at(0).value_or(std::string()), both->at(1).value_or(std::string())};
        INFO(rule.has);
        REQUIRE(!rule.has.empty());
        REQUIRE(!rule.why.empty());
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::vector<fs::path> documents() {
    std::vector<fs::path> found = {kRoot / "README.md"};
    for (const auto& entry : fs::directory_iterator(kRoot / "docs"))
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    for (const auto& entry : fs::directory_iterator(kRoot / "kernels"))
        if (fs::exists(entry.path() / "README.md")) found.push_back(entry.path() / "README.md");
    std::sort(found.begin(), found.end());
    return found;
}

/// The folder of a reader who follows a document from its beginning.
class Scratch {
public:
    Finished run(const std::string& commands) const {
        ProcessOptions options = kwb_command({});
        options.command = {"/bin/sh", "-c", "cd \"$WORK\" && " + commands};
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"})
            options.unset.push_back(variable);
        const std::string programs = fs::path(KWB_PROGRAM).parent_path().string();
        for (const auto& [name, value] : {std::pair{"WORK", folder_.path().string()},
                                          {"ROOT", kRoot.string()},
                                          {"HOME", home_.path().string()},
                                          {"XDG_DATA_HOME", (home_ / "data").string()},
                                          {"PATH", programs + ":/usr/bin:/bin"}})
            options.environment.push_back({name, value});
        return run_process(options);
    }
    void write(const Piece& kernel) const { folder_.write(kernel.file, kernel.text); }

    /// Run commands that must succeed.
    void prepare(const std::string& commands) const {
        const Finished done = run(commands);
        INFO(commands, "\n", done.out, done.err);
        CHECK(done.exit_code == 0);
    }
    /// Make the files that the command names and that are not there.
    void provide(std::vector<OwnFile>& files, const std::string& command) const {
        for (OwnFile& file : files)
            if (command.find(file.name) != std::string::npos) {
                file.is_used = true;
                if (run("ls " + file.name).exit_code != 0) prepare(file.commands);
            }
    }

private:
    TempFolder folder_, home_;
};

/// Speed is never asserted, so one round of a small size is enough, where the document does not say
/// otherwise. The usual size of a matrix product is a large one.
std::string shortened(std::string command) {
    const auto has = [&](const char* text) { return command.find(text) != std::string::npos; };
    if ((has("kwb run ") || has("kwb why ") || has("kwb sweep ")) && !has("--rounds") &&
        !has("--time-budget"))
        command += " --rounds 1";
    if ((has("kwb run ") || has("kwb why ")) && !has("--size") &&
        std::regex_search(command, std::regex(" (matmul/|(mine|tiled|my_kernel|gemm_rows)\\.cl)")))
        command += " --size 128";
    if (has("kwb tune ") && !has("--budget") && !has("--list")) command += " --budget 2";
    if (has("kwb tune ") && !has("--rounds") && !has("--list")) command += " --rounds 1";
    return std::regex_replace(command, std::regex("--size (512|1024)( |$)"), "--size 128$2");
}

/// The rule for a command, which is the first that fits.
Rule* find_rule(std::vector<Rule>& rules, const std::string& document, const std::string& command) {
    for (Rule& rule : rules)
        if (command.find(rule.has) != std::string::npos &&
            (rule.document.empty() || rule.document == document)) {
            rule.is_used = true;
            return &rule;
        }
    return nullptr;
}

}  // namespace

TEST_CASE("every command that a document shows ends with the exit code that it promises") {
    const toml::table list = toml::parse_file((kRoot / "tests/cli/documents.toml").string());
    std::vector<Rule> rules = read_rules(list);
    std::vector<OwnFile> files = read_files(list);
    const std::regex writes_blanks("kwb new (\\w+) (\\S+)");
    std::set<std::string> done;
    std::size_t commands = 0;
    for (const fs::path& file : documents()) {
        const std::string document = file.lexically_relative(kRoot).string();
        const Scratch scratch;
        for (const Piece& piece : read_pieces(read_text(file))) {
            if (!piece.file.empty()) {
                scratch.write(piece);
                continue;
            }
            ++commands;
            const Rule* rule = find_rule(rules, document, piece.text);
            if (rule != nullptr && !rule->runs) continue;
            std::string command = shortened(piece.text);
            if (rule != nullptr && !rule->replace.empty())
                command = replaced(command, rule->replace[0], rule->replace[1]);
            if (rule != nullptr && !rule->add.empty()) command += " " + rule->add;
            // Without files of the document, it comes out the same everywhere.
            const bool is_own = command.find('.') != std::string::npos;
            if (!done.insert(is_own ? document + ": " + command : command).second) continue;
            INFO(document, ":", piece.line, ": ", command);
            std::smatch blanks;
            if (!std::regex_match(command, blanks, writes_blanks)) scratch.provide(files, command);
            if (rule != nullptr && !rule->before.empty()) scratch.prepare(rule->before);
            const Finished finished = scratch.run(command);
            INFO(finished.out, finished.err);
            CHECK(finished.exit_code == (rule != nullptr ? rule->exit_code : 0));
            if (!blanks.empty()) scratch.prepare("rm " + blanks[2].str() + " && " + command + " --solved");
        }
    }
    CHECK(commands > 50);
    for (const Rule& rule : rules) {
        INFO("tests/cli/documents.toml: no document shows a command with '", rule.has, "' any more");
        CHECK(rule.is_used);
    }
    for (const OwnFile& file : files) {
        INFO("tests/cli/documents.toml: no document names ", file.name, " in a command any more");
        CHECK(file.is_used);
    }
}

TEST_CASE("commands are found in blocks of a shell, after a prompt, and in indented text") {
    const std::vector<Piece> pieces = read_pieces(
        "Text of kwb run a.\n```sh\nkwb run a   # why\nX=1 kwb run \"b # c\"\n./workbench docs\n```\n\n"
        "```\n$ kwb check d\nkwb is a word of its output\n```\n\n    kwb sweep e\n    kwb (terminal)\n\n"
        "Write `f.cl`:\n\n```c\nkernel void f() {}\n```\n```yaml\nkwb grade g\n```\n");
    std::string found;
    for (const Piece& piece : pieces) found += fmt::format("{} {}{}|", piece.line, piece.file, piece.text);
    CHECK(found ==
          "3 kwb run a|4 X=1 kwb run \"b # c\"|9 kwb check d|13 kwb sweep e|18 f.clkernel void f() {}\n|");
}
