// SPDX-License-Identifier: Apache-2.0
// kwb capture with a program that uses OpenCL as other people's do, and what the workbench does with what it
// captured.
#include <filesystem>

#include "base/file.hpp"
#include "base/npy.hpp"
#include "kwb.hpp"

namespace kwb::test {
namespace {

namespace fs = std::filesystem;

const NamedList<std::string> kCache = {{"POCL_CACHE_DIR", KWB_TEST_CACHE}};

/// @param name  of the program's case
Finished capture(const fs::path& into, Args options, const Args& name) {
    Args args = {"capture", "-o", into.string()};
    args.insert(args.end(), options.begin(), options.end());
    args.push_back(KWB_HOST_PROGRAM);
    args.insert(args.end(), name.begin(), name.end());
    return run_kwb(args, kCache);
}

/// The content of an array's first elements.
template <class T>
T element(const fs::path& array, std::size_t index) {
    const std::string bytes = read_file(array);
    const NpyHeader header = read_npy(array.string(), bytes);
    T value{};
    REQUIRE(bytes.size() >= header.data_offset + (index + 1) * sizeof value);
    bytes.copy(reinterpret_cast<char*>(&value), sizeof value, header.data_offset + index * sizeof value);
    return value;
}

Finished run_captured(const fs::path& file) {
    return run_kwb({"run", file.string(), "--rounds", "1"});
}

}  // namespace

TEST_CASE("a captured launch runs by itself, and gives the same bits") {
    for (const auto& launch : NamedList<std::string>{{"right_simple", "scale"},
                                                     {"right_local", "sum"},
                                                     {"right_struct", "move"},
                                                     {"image", "soften"},
                                                     {"offset", "mark"},
                                                     {"parts", "copy"},
                                                     {"right_shared_memory", "scale"},
                                                     {"odd_value", "blend"},
                                                     {"values", "blend"}}) {
        const std::string name = launch.name, kernel = launch.value;
        const TempFolder folder;
        const fs::path into = folder.path() / "launches";
        const Finished finished = capture(into, {}, {name});
        INFO(name, ": ", finished.err);
        CHECK(finished.exit_code == 0);
        CHECK(finished.out == "");
        CHECK_SAYS(finished.err, kernel + ": launch 1 is in ");
        const Finished run = run_captured(into / (kernel + ".cl"));
        INFO(run.out, run.err);
        CHECK(run.exit_code == 0);
        CHECK_SAYS(run.out, "correct");
        for (const auto& entry : fs::directory_iterator(into)) {
            INFO(entry.path().string());
            CHECK(entry.path().filename().string().starts_with(kernel));  // nothing else is left
        }
    }
}

TEST_CASE("check, xray and debug take a captured launch, and a change of its kernel is wrong") {
    const TempFolder folder;
    const fs::path into = folder.path() / "launches", file = into / "scale.cl";
    REQUIRE(capture(into, {}, {"right_simple"}).exit_code == 0);
    CHECK(element<float>(into / "scale/x.before.npy", 3) == 3.0f);
    CHECK(element<float>(into / "scale/x.after.npy", 3) == 6.0f);
    CHECK(run_kwb({"check", file.string()}).exit_code == 0);
    CHECK_TELLS(run_kwb({"xray", file.string()}), 0, "store x");
    CHECK_TELLS(run_kwb({"debug", file.string(), "--command", "print factor"}), 0, "factor = 2");
    std::string source = read_file(file);
    source.replace(source.find("x[i] *= factor"), 14, "x[i] += factor");
    write_file(file, source);
    const Finished wrong = run_captured(file);
    CHECK(wrong.exit_code == 1);
    CHECK_SAYS(wrong.out, "wrong");
}

TEST_CASE(
    "headers and build options come with the source, and a later launch begins with what earlier ones left") {
    const TempFolder folder;
    folder.write("headers/factor.h", "#include \"more/base.h\"\n#define FACTOR (BASE * 2)\n");
    folder.write("headers/more/base.h", "#define BASE 1.5f\n");
    const fs::path into = folder.path() / "launches";
    const Finished finished = capture(into, {"--launch", "2", "--kernel", "grow"},
                                      {"header", (folder.path() / "headers").string()});
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "grow: launch 2 is in");
    CHECK(element<float>(into / "grow/x.before.npy", 3) == 9.0f);
    CHECK(element<float>(into / "grow/x.after.npy", 3) == 27.0f);
    const Finished run = run_captured(into / "grow.cl");
    INFO(run.out, run.err);
    CHECK(run.exit_code == 0);
}

TEST_CASE("a buffer that is smaller than what its kernel touches is found in the captured launch") {
    const TempFolder folder;
    const fs::path into = folder.path() / "launches";
    REQUIRE(capture(into, {}, {"overrun"}).exit_code == 0);
    const Finished check = run_kwb({"check", (into / "copy.cl").string()});
    CHECK(check.exit_code == 1);
    CHECK_SAYS(check.out, "out_of_bounds", "element 1000 of from");
}

TEST_CASE("what cannot be captured has a reason, and a kernel that never came names those that did") {
    const TempFolder folder;
    const Finished shared = capture(folder.path() / "shared", {}, {"shared_parts"});
    CHECK(shared.exit_code == 0);
    CHECK_SAYS(shared.err, "copy: not captured, because two of its buffers share memory");
    const Finished inside = capture(folder.path() / "inside", {}, {"inside_shared_memory"});
    CHECK_SAYS(
        inside.err,
        "scale: not captured, because an argument points behind the beginning of shared virtual memory");
    const Finished binary = capture(folder.path() / "binary", {}, {"binary"});
    CHECK_SAYS(binary.err, "scale: not captured, because its program was made from a binary",
               "scale.bin is the driver's binary");
    CHECK(fs::file_size(folder.path() / "binary/scale.bin") > 100);
    const Finished missing = capture(folder.path() / "missing", {"--kernel", "scle"}, {"right_simple"});
    CHECK(missing.exit_code == 1);
    CHECK_SAYS(missing.err, "scle: it was never launched. Did you mean scale?", "These were: scale");
    const Finished rare =
        capture(folder.path() / "rare", {"--kernel", "scale", "--launch", "2"}, {"right_simple"});
    CHECK(rare.exit_code == 1);
    CHECK_SAYS(rare.err, "scale: it has no launch 2");
    const Finished killed = capture(folder.path() / "killed", {}, {"ends_by_signal"});
    CHECK(killed.exit_code == 128 + 9);
    CHECK_SAYS(killed.err, "scale: launch 1 is in");
    const Finished none = capture(folder.path() / "none", {}, {"no_opencl"});
    CHECK(none.exit_code == 4);
    CHECK_SAYS(none.err, "No OpenCL call was recorded");
}

TEST_CASE("a .sim file of Oclgrind becomes a kernel file") {
    const TempFolder folder;
    folder.write(
        "add.cl",
        "__kernel void add(__global const int* a, __global int* sum, __local int* tile, float by) {\n"
        "    sum[get_global_id(0)] = a[get_global_id(0)] * by;\n"
        "}\n");
    folder.write("add.sim",
                 "# comment\nadd.cl\nadd\n8 1 1\n4 1 1\n<size=32 range=0:3:21>\n<size=32 fill=0 dump>\n"
                 "<size=16> <size=4>\n1.5\n");
    const fs::path into = folder.path() / "launches";
    const Args args = {"capture", "-o", into.string(), "--from", (folder.path() / "add.sim").string()};
    const Finished finished = run_kwb(args);
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK(element<int>(into / "add/a.before.npy", 7) == 21);
    const Finished run = run_captured(into / "add.cl");
    INFO(run.out, run.err);
    CHECK(run.exit_code == 0);
    CHECK_SAYS(run.out, "ran");
    for (const auto& [text, complaint] : NamedList<std::string>{
             {"add.cl\nadd\n8 1 1\n4 1 1\n<size=32>\n1 2", "the file ends where a number is expected"},
             {"add.cl\nadd\n8 1 1\n4 1 1\n<size=99999999999 fill=0>", "is no size"},
             {"../add.cl\nadd\n8 1 1\n4 1 1\n", "is in another folder"},
             {"add.cl\nsub\n8 1 1\n4 1 1\n", "has no kernel sub"},
             {"add.cl\nadd\n8 1 x\n", "'x' is no whole number"}}) {
        folder.write("add.sim", text);
        CHECK_REFUSED(run_kwb({"capture", "-o", (folder.path() / "bad").string(), "--from",
                               (folder.path() / "add.sim").string()}),
                      2, "add.sim", complaint);
        CHECK(fs::is_empty(folder.path() / "bad"));
    }
}

TEST_CASE("a folder of the OpenCL Intercept Layer becomes a kernel file") {
    const TempFolder folder;
    const std::string values("\0\0\200\77\0\0\0\100", 8), after("\0\0\0\100\0\0\200\100", 8);  // 1, 2; 2, 4
    const auto write = [&](const std::string& name, const std::string& content) {
        folder.write("Replay/Enqueue_12/" + name, content);
    };
    write("kernel.cl",
          "#include \"/etc/passwd\"\n"
          "__kernel void twice(__global float* x, __global const float* same, float by) {\n"
          "    x[get_global_id(0)] *= by;\n}\n");
    CHECK_REFUSED(
        run_kwb({"capture", "-o", (folder.path() / "none").string(), "--from", folder.path().string()}), 2,
        "has no captured launch");
    write("worksizes.txt", "2 1 1\n0 0 0\n0 0 0\n");
    write("kernelName.txt", "twice");
    write("enqueueNumber.txt", "12\n");
    write("buildOptions.txt", "-I /etc -DX=1\n");
    write("Argument0.bin", "handle-1");
    write("Argument1.bin", "handle-2");
    write("Argument2.bin", std::string("\0\0\0\100", 4));
    for (const char* number : {"0", "1"}) {
        const std::string name = std::string("Enqueue_0012_Kernel_twice_Arg_") + number + "_Buffer.bin";
        write("Pre/" + name, values);
        write("Post/" + name, *number == '0' ? after : values);
    }
    const fs::path into = folder.path() / "launches";
    const fs::path strange = folder.path() / "strange";
    const Finished missing = run_kwb({"capture", "-o", strange.string(), "--from", folder.path().string()});
    CHECK_SAYS(missing.err, "twice: launch 12 is in", "The header /etc/passwd was not found.");
    CHECK_FALSE(fs::exists(strange / "passwd"));
    std::string source = read_file(folder.path() / "Replay/Enqueue_12/kernel.cl");
    write("kernel.cl", source.substr(source.find('\n') + 1));
    const Finished finished = run_kwb({"capture", "-o", into.string(), "--from", folder.path().string()});
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "twice: launch 12 is in");
    const Finished run = run_captured(into / "twice.cl");
    INFO(run.out, run.err);
    CHECK(run.exit_code == 0);
    CHECK_SAYS(run.out, "correct");
}

TEST_CASE("a folder that exists or cannot be made, and missing words") {
    const TempFolder folder;
    folder.write("full/file", "content");
    CHECK_REFUSED(capture(folder.path() / "full", {}, {"right_simple"}), 2, "exists already",
                  "name a new folder");
    CHECK(read_file(folder.path() / "full/file") == "content");
    CHECK_REFUSED(capture("/proc/launches", {}, {"right_simple"}), 2, "/proc/launches cannot be made");
    CHECK_REFUSED(run_kwb({"capture", "-o", (folder.path() / "new").string()}), 2, "name the program to run");
    CHECK_REFUSED(run_kwb({"capture", KWB_HOST_PROGRAM}), 2, "-o");
    CHECK_REFUSED(capture(folder.path() / "new", {"--launch", "0"}, {"right_simple"}), 2, "--launch");
}

}  // namespace kwb::test
