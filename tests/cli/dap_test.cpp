// SPDX-License-Identifier: Apache-2.0
// kwb debug --dap, driven as an editor drives it. tests/editors/run also checks its messages by the
// protocol's schema.
#include <utility>

#include "base/file.hpp"
#include "kwb.hpp"

namespace kwb::test {
namespace {

using nlohmann::json;

/// A client of the protocol.
class Editor {
public:
    Editor() : process_(command()) {}

    void send_bytes(const std::string& bytes) { process_.write(bytes); }

    /// The answer to a request; the events that come before it are kept.
    json ask(const std::string& name, const json& arguments = json::object()) {
        const json request = {
            {"seq", ++asked_}, {"type", "request"}, {"command", name}, {"arguments", arguments}};
        const std::string text = request.dump();
        send_bytes("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
        const json answer = next_answer();
        CHECK(answer["request_seq"] == asked_);
        CHECK(answer["command"] == name);
        return answer;
    }

    /// The body of an answer that is no failure.
    json body(const std::string& name, const json& arguments = json::object()) {
        const json answer = ask(name, arguments);
        INFO(answer.dump());
        REQUIRE(answer["success"] == true);
        return answer.value("body", json::object());
    }

    /// Why a request fails.
    std::string failure(const std::string& name, const json& arguments = json::object()) {
        const json answer = ask(name, arguments);
        INFO(answer.dump());
        REQUIRE(answer["success"] == false);
        CHECK(answer["body"]["error"]["showUser"] == true);
        return answer["message"];
    }

    json next_answer() {
        while (true) {
            json message = receive();
            if (message["type"] == "response") return message;
            events_.push_back(std::move(message));
        }
    }

    /// The body of the next event with a name; those before it are dropped.
    json event(const std::string& name) {
        while (true) {
            if (events_.empty()) events_.push_back(receive());
            const json first = events_.front();
            events_.erase(events_.begin());
            if (first["event"] == name) return first.value("body", json::object());
        }
    }

    /// What moves, and where it has led.
    json move(const std::string& name, int thread = 1) {
        body(name, {{"threadId", thread}});
        return event("stopped");
    }

    json top_frame(int thread = 1) { return body("stackTrace", {{"threadId", thread}})["stackFrames"][0]; }
    int line(int thread = 1) { return top_frame(thread)["line"]; }

    /// The value of an expression, as shown.
    std::string value(const std::string& expression, int thread = 1) {
        return body("evaluate", {{"expression", expression}, {"frameId", top_frame(thread)["id"]}})["result"];
    }

    /// The variables of a scope of the innermost call.
    json variables(const std::string& scope, int thread = 1) {
        const json scopes = body("scopes", {{"frameId", top_frame(thread)["id"]}})["scopes"];
        for (const json& one : scopes)
            if (one["name"] == scope) return children(one);
        FAIL("no scope " << scope);
        return {};
    }
    json children(const json& of, const json& more = json::object()) {
        json arguments = {{"variablesReference", of["variablesReference"]}};
        arguments.update(more);
        return body("variables", arguments)["variables"];
    }
    static json named(const json& variables, const std::string& name) {
        for (const json& one : variables)
            if (one["name"] == name) return one;
        FAIL("no variable " << name << " in " << variables.dump());
        return {};
    }

    /// Begins to debug a kernel, up to its first step.
    void launch(const json& arguments) {
        body("initialize", {{"adapterID", "kwb"}});
        body("launch", arguments);
        event("initialized");
        body("configurationDone");
        event("stopped");
    }

    int finish() {
        process_.close_stdin();
        return process_.finish().exit_code;
    }

private:
    static ProcessOptions command() {
        ProcessOptions options = kwb_command({"debug", "--dap"});
        options.is_interactive = true;
        return options;
    }

    json receive() {
        constexpr std::string_view kHeader = "Content-Length: ";
        std::size_t begin = 0, length = 0;
        process_.wait_for_stdout([&](std::string_view all) {
            const std::size_t end = all.find("\r\n\r\n", read_);
            if (end == std::string_view::npos) return false;
            length = std::stoul(std::string(all.substr(read_ + kHeader.size(), end)));
            begin = end + 4;
            return all.size() >= begin + length;
        });
        REQUIRE(std::string_view(process_.out()).substr(read_).starts_with(kHeader));
        json message = json::parse(process_.out().substr(begin, length));
        read_ = begin + length;
        CHECK(message["seq"] == ++received_);
        return message;
    }

    Process process_;
    std::size_t read_ = 0;  ///< bytes of its standard output
    int asked_ = 0;
    int received_ = 0;
    std::vector<json> events_;
};

constexpr const char* kKernel = R"cl(/*+++
title = "a product with a helper"
problem = "matmul"
[launch]
kernel = "product"
local = [4, 4]
global = ["round_up(N, 4)", "round_up(M, 4)"]
+++*/
typedef struct { int row; float4 four; } pair_t;

float add(float sum, float product)
{
    float both = sum + product;

    return both;
}

__kernel void product(const int M, const int N, const int K, __global const float* A, __global const float* B,
                      __global float* C)
{
    __local float tile[4][4];
    const int row = get_global_id(1), col = get_global_id(0);
    pair_t pair;
    pair.row = row;
    pair.four = (float4)(1, 2, 3, 4);
    tile[get_local_id(1)][get_local_id(0)] = col;
    float sum = 0;
    if (row < M && col < N) {
        for (int k = 0; k < K; ++k)
            sum = add(sum, A[row * K + k] * B[k * N + col]);
        C[row * N + col] = sum;
    }
}
)cl";

/// The thread of a work-item of a 4 x 4 group.
constexpr int thread_at(int x, int y) {
    return 1 + x + 4 * y;
}

}  // namespace

TEST_CASE("an editor steps through a work-group, in all directions") {
    const TempFolder folder;
    const std::string file = folder.write("product.cl", kKernel).string();
    Editor editor;
    editor.launch({{"program", file}, {"size", 8}, {"lane", "2,1"}});
    const int thread = thread_at(2, 1);
    const json threads = editor.body("threads")["threads"];
    REQUIRE(threads.size() == 16);
    CHECK(threads[6] == json({{"id", thread}, {"name", "work-item (2, 1)"}}));
    CHECK(editor.line(thread) == 22);

    const json source = {{"path", file}};
    const json points = editor.body("setBreakpoints", {{"source", source},
                                                       {"breakpoints",
                                                        {{{"line", 14}, {"condition", "sum != 0"}},
                                                         {{"line", 30}, {"condition", "k =="}},
                                                         {{"line", 99}}}}})["breakpoints"];
    REQUIRE(points.size() == 3);
    CHECK(points[0]["verified"] == true);
    CHECK(points[0]["line"] == 15);
    CHECK_SAYS(points[0]["message"].get<std::string>(), "There is no code in line 14");
    CHECK(points[1]["verified"] == false);
    CHECK_SAYS(points[1]["message"].get<std::string>(), "something is missing");
    CHECK(points[2]["verified"] == false);

    const json stopped = editor.move("continue", thread);
    CHECK(stopped["reason"] == "breakpoint");
    CHECK(stopped["threadId"] == thread);
    CHECK(stopped["hitBreakpointIds"] == json::array({points[0]["id"]}));
    const json frames = editor.body("stackTrace", {{"threadId", thread}});
    REQUIRE(frames["totalFrames"] == 2);
    CHECK(frames["stackFrames"][0]["name"] == "add");
    CHECK(frames["stackFrames"][0]["line"] == 15);
    CHECK(frames["stackFrames"][0]["source"]["path"] == file);
    CHECK(frames["stackFrames"][1]["name"] == "product");
    CHECK(frames["stackFrames"][1]["line"] == 30);
    CHECK(editor.body("stackTrace", {{"threadId", thread}, {"startFrame", 1}, {"levels", 1}})["stackFrames"]
              .size() == 1);
    // The other work-items are shown at the same point, with their own values.
    CHECK(editor.line(thread_at(0, 0)) == 15);
    CHECK(editor.value("get_local_id(0)", thread_at(3, 0)) == "3");

    const std::string both = editor.value("both", thread);
    editor.move("stepOut", thread);
    CHECK(editor.top_frame(thread)["name"] == "product");
    editor.move("next", thread);
    CHECK(editor.line(thread) == 29);
    editor.move("stepIn", thread);
    editor.move("stepIn", thread);
    CHECK(editor.top_frame(thread)["name"] == "add");
    CHECK(editor.value("sum", thread) == both);
    editor.move("reverseContinue", thread);
    CHECK(editor.value("both", thread) == both);
    CHECK(editor.move("pause", thread)["reason"] == "pause");
    editor.body("setBreakpoints", {{"source", source}, {"breakpoints", json::array()}});
    CHECK(editor.move("reverseContinue", thread)["text"] == "This is the first step.");
    CHECK(editor.move("stepBack", thread)["text"] == "This is the first step.");
    CHECK(editor.move("continue", thread)["description"] == "Behind the last step");
    editor.body("continue", {{"threadId", thread}});
    CHECK(editor.event("exited")["exitCode"] == 0);
    editor.event("terminated");
    editor.body("disconnect");
    CHECK(editor.finish() == 0);
}

TEST_CASE("an editor unfolds variables, and reads a buffer in pieces") {
    const TempFolder folder;
    Editor editor;
    editor.launch({{"program", folder.write("product.cl", kKernel).string()}, {"size", 8}});
    editor.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "add"}}, {{"name", "ad"}}}}});
    CHECK(editor.move("continue")["reason"] == "function breakpoint");
    editor.move("stepOut");
    const json arguments = editor.variables("Arguments");
    CHECK(editor.named(arguments, "K")["value"] == "8");
    const json a = editor.named(arguments, "A");
    CHECK(a["value"] == "&A[0]");
    CHECK(a["indexedVariables"] == 64);
    const json piece = editor.children(a, {{"start", 60}, {"count", 10}});
    REQUIRE(piece.size() == 4);
    CHECK(piece[0]["evaluateName"] == "A[60]");
    CHECK(piece[0]["value"] == editor.value("A[60]"));

    const json pair = editor.named(editor.variables("Locals"), "pair");
    CHECK(pair["value"] == "{row = 0, four = (1, 2, 3, 4)}");
    CHECK(pair["type"] == "pair_t");
    const json four = editor.named(editor.children(pair), "four");
    CHECK(editor.named(editor.children(four), "z")["value"] == "3");
    CHECK(editor.named(editor.children(four), "z")["evaluateName"] == "pair.four.z");

    const json tile = editor.named(editor.variables("__local"), "tile");
    CHECK(tile["type"] == "float[4][4]");
    const json row = editor.children(tile)[0];
    CHECK(editor.children(row)[0]["value"] == "0");
    CHECK(editor.children(row)[0]["evaluateName"] == "tile[0][0]");

    const json c = editor.named(editor.variables("Buffers"), "C");
    CHECK(c["value"] == "float[64]");
    CHECK(editor.children(c, {{"start", 63}})[0]["value"] == "not set yet");
    CHECK(editor.named(editor.variables("Work-item"), "get_global_id(1)")["value"] == "0");

    // References end with a movement.
    editor.move("next");
    CHECK_SAYS(editor.failure("variables", {{"variablesReference", c["variablesReference"]}}),
               "no variables");
}

TEST_CASE("an editor watches memory, and types expressions and commands") {
    const TempFolder folder;
    Editor editor;
    editor.launch({{"program", folder.write("product.cl", kKernel).string()}, {"size", 8}});
    const json info = editor.body("dataBreakpointInfo", {{"name", "C[0]"}});
    CHECK(info["description"] == "C[0]");
    const json added =
        editor.body("setDataBreakpoints", {{"breakpoints", {{{"dataId", info["dataId"]}}}}})["breakpoints"];
    CHECK(added[0]["verified"] == true);
    const json stopped = editor.move("continue");
    CHECK(stopped["reason"] == "data breakpoint");
    CHECK_SAYS(stopped["text"].get<std::string>(), "C[0]: line 31 stores", "which held no value yet");
    const json none = editor.body("dataBreakpointInfo", {{"name", "row + 1"}});
    CHECK(none["dataId"] == nullptr);

    const auto type = [&](const std::string& text) {
        return editor.body("evaluate", {{"expression", text}, {"context", "repl"}})["result"]
            .get<std::string>();
    };
    CHECK(type("K * 2") == "16");
    CHECK_SAYS(type("last sum"), "30 →");
    CHECK(editor.event("stopped")["reason"] == "step");
    CHECK_SAYS(type("break 29"), "Breakpoint");
    CHECK(editor.event("breakpoint")["breakpoint"]["line"] == 29);
    CHECK_SAYS(editor.failure("evaluate", {{"expression", "K *"}, {"context", "repl"}}),
               "something is missing");
    CHECK_SAYS(editor.failure("evaluate", {{"expression", "next"}, {"context", "hover"}}),
               "no variable next");
    const json targets = editor.body("completions", {{"text", "print su"}, {"column", 9}})["targets"];
    CHECK(targets == json::array({{{"label", "sum"}, {"start", 7}, {"length", 2}}}));
    CHECK(editor.body("completions", {{"text", "fin"}, {"column", 4}})["targets"][0]["label"] == "finish");
}

TEST_CASE("an editor gets what is printed when it is passed, with its line") {
    const TempFolder folder;
    std::string source = kKernel;
    source.replace(source.find("pair.row = row;"), 15, "printf(\"row %d\\n\", row);");
    Editor editor;
    editor.launch({{"program", folder.write("product.cl", source).string()}, {"size", 8}, {"lane", "1,2"}});
    const auto printed = [&] {
        json output;
        do output = editor.event("output");
        while (output["category"] != "stdout");
        return output;
    };
    const int thread = thread_at(1, 2);
    editor.body("continue", {{"threadId", thread}});
    const json own = printed();
    CHECK(own["output"] == "(1, 2): row 2\n");
    CHECK(own["line"] == 24);
    editor.event("stopped");
    CHECK(editor.body("evaluate", {{"expression", "info output 1,2"}, {"context", "repl"}})["result"]
              .get<std::string>()
              .find("row 2") != std::string::npos);
}

TEST_CASE("an editor begins at the wrong element, with the options of kwb debug") {
    const TempFolder folder;
    std::string source = kKernel;
    source.replace(source.find("k < K;"), 6, "k < K - 1;");
    Editor editor;
    editor.body("initialize", {{"linesStartAt1", false}, {"columnsStartAt1", false}});
    editor.body("launch", {{"program", folder.write("product.cl", source).string()},
                           {"wrong", true},
                           {"stopOnEntry", true},
                           {"args", {"--timeout", "20s", "--size", "16"}}});
    CHECK_SAYS(editor.event("output")["output"].get<std::string>(), "C[0][0] is wrong at size 8: expected");
    editor.body("configurationDone");
    CHECK(editor.event("stopped")["reason"] == "entry");
    CHECK(editor.line() == 30);  // counted from 0
}

TEST_CASE("what an editor asks wrong gets an answer, and ends nothing") {
    const TempFolder folder;
    const std::string file = folder.write("product.cl", kKernel).string();
    Editor editor;
    CHECK_SAYS(editor.failure("threads"), "launch comes first");
    CHECK_SAYS(editor.failure("launch", {{"program", "no/such"}}), "no/such");
    CHECK_SAYS(editor.failure("launch", {{"program", 7}}), "arguments.program must be a text");
    CHECK_SAYS(editor.failure("launch"), "arguments.program is missing");
    CHECK_SAYS(editor.failure("launch", {{"program", file}, {"args", {"--sise", "8"}}}), "--sise");
    CHECK_SAYS(editor.failure("launch", {{"program", file}, {"size", 8}, {"group", "7,7"}}),
               "counted from 0");
    CHECK_SAYS(editor.failure("launch", {{"program", file}, {"size", 8}, {"lane", "4,0"}}), "from 0 to 3");
    const std::string broken = std::string(kKernel) + "int broken(";
    CHECK_SAYS(
        editor.failure("launch", {{"program", folder.write("broken.cl", broken).string()}, {"size", 8}}),
        "error");
    editor.launch({{"program", file}, {"size", 8}});
    CHECK_SAYS(editor.failure("launch", {{"program", file}}), "already");
    CHECK_SAYS(editor.failure("attach"), "no request attach");
    CHECK_SAYS(editor.failure("next"), "arguments.threadId is missing");
    CHECK_SAYS(editor.failure("next", {{"threadId", 17}}), "work-items are 1 to 16");
    CHECK_SAYS(editor.failure("next", json::array({1})), "must be an object");
    CHECK_SAYS(editor.failure("stackTrace", {{"threadId", "one"}}), "must be a whole number");
    CHECK_SAYS(editor.failure("scopes", {{"frameId", 12345}}), "no stack frame");
    CHECK_SAYS(editor.failure("setDataBreakpoints", {{"breakpoints", {{{"dataId", "1:2"}}}}}), "no dataId");
    CHECK(editor.body("setBreakpoints", {{"source", {{"path", "/etc/passwd"}}},
                                         {"breakpoints", {{{"line", 1}}}}})["breakpoints"][0]["verified"] ==
          false);
    CHECK_SAYS(editor.failure("source", {{"source", {{"path", "/etc/passwd"}}}}), "no file of the kernel");

    const auto refused = [&](const std::string& bytes) {
        editor.send_bytes(bytes);
        const json answer = editor.next_answer();
        CHECK(answer["success"] == false);
        return answer["message"].get<std::string>();
    };
    CHECK_SAYS(refused("Content-Length: 99999999999\r\n\r\n"), "Content-Length, at most");
    CHECK_SAYS(refused("rubbish\r\n\r\nContent-Length: 3\r\n\r\n{\"}"), "");
    CHECK_SAYS(refused("Content-Length: 2\r\n\r\n{}"), "must be an object with the number seq");
    CHECK_SAYS(refused(std::string(9000, 'x')), "must begin with a header");
    CHECK_SAYS(refused("Content-Length: 25\r\n\r\n{\"seq\":1,\"type\":\"request\"}"), "");
    CHECK(editor.line() == 22);

    write_file(file, std::string(kKernel) + "\n");
    editor.move("next");
    CHECK_SAYS(editor.failure("next", {{"threadId", 0}}), "no thread 0");
    CHECK(editor.finish() == 0);
}

}  // namespace kwb::test
