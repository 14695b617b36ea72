// SPDX-License-Identifier: Apache-2.0
#include "report/tables.hpp"

#include <doctest/doctest.h>

#include "unit/report/sample.hpp"

using namespace kwb;

namespace {

DeviceInfo pocl() {
    DeviceInfo device;
    device.id = "pocl:0";
    device.name = "pthread-Some CPU";
    device.kind = DeviceKind::Cpu;
    device.platform = "Portable Computing Language";
    device.driver_version = "3.1";
    device.opencl_c = "OpenCL C 1.2 PoCL";
    device.compute_units = 2;
    device.max_work_group_size = 4096;
    device.max_work_item_sizes = {4096, 4096, 4096};
    device.local_mem_bytes = 2u << 20;
    device.global_mem_bytes = std::uint64_t{8} << 30;
    device.max_alloc_bytes = std::uint64_t{2} << 30;
    device.max_constant_bytes = 2u << 20;
    device.native_float_width = 16;
    device.has_fp64 = true;
    return device;
}

}  // namespace

TEST_CASE("a device is told id first, each limit with its meaning") {
    CHECK(split_lines(devices_text({{pocl()}, {}}, {true, false, 130})) ==
          std::vector<std::string>{
              "pocl:0  pthread-Some CPU (CPU)",
              "  driver          Portable Computing Language, driver 3.1, OpenCL C 1.2 PoCL",
              "  compute units   2; a run needs at least this many work-groups to keep all of them busy",
              "  work-group      at most 4096 work-items, at most 4096 × 4096 × 4096 per dimension; a kernel "
              "may allow fewer",
              "  local memory    at most 2 MiB shared by the work-items of a work-group; part of ordinary "
              "memory, so no faster than a cache",
              "  global memory   8 GiB, one buffer at most 2 GiB; constant memory 2 MiB",
              "  vectors         16 floats in one instruction; double supported, no half",
              "  images          none",
              "  note            a kernel with more than 1024 work-items in a work-group or more than 48 KiB "
              "of local memory fits this device but",
              "                  may not fit a GPU"});
}

TEST_CASE("a device's isolation is reported if it is known") {
    DeviceInfo device = pocl();
    CHECK(devices_text({{device}, {}}).find("isolation") == std::string::npos);
    device.sandbox = "no files but the driver's, no network (Landlock ABI 4, seccomp)";
    CHECK(devices_text({{device}, {}}, {true, false, 130})
              .find("  isolation       no files but the driver's, no network (Landlock ABI 4, seccomp)\n") !=
          std::string::npos);
}

TEST_CASE("a GPU, or a device within common limits, gets no note about GPUs") {
    DeviceInfo device = pocl();
    device.kind = DeviceKind::Gpu;
    CHECK(devices_text({{device}, {}}).find("may not fit") == std::string::npos);
    device = pocl();
    device.max_work_group_size = 1024;
    device.local_mem_bytes = 48u << 10;
    CHECK(devices_text({{device}, {}}).find("may not fit") == std::string::npos);
    device.local_mem_bytes += 1;
    CHECK(devices_text({{device}, {}}).find("may not fit") != std::string::npos);
}

TEST_CASE("a driver that cannot be used is told with its reason, beside the others") {
    const std::string text =
        devices_text({{pocl()}, {{"/etc/OpenCL/vendors/broken.icd", "It ended with SIGABRT."}}});
    CHECK(text.find("pocl:0") == 0);
    CHECK(
        text.ends_with("unusable driver: /etc/OpenCL/vendors/broken.icd\n"
                       "  It ended with SIGABRT.\n"));
}

TEST_CASE("a driver without a device is one grey line") {
    const DeviceList list = {{pocl()}, {}, {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}, {"b.icd", ""}}};
    CHECK(devices_text(list).ends_with(
        "\n\nClover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine\n"
        "b.icd has no device in this machine\n"));
    CHECK(devices_text(list, {true, true, 100})
              .ends_with("\x1B[2mb.icd has no device in this machine\x1B[0m\n"));
    CHECK(
        describe(IdleDriver{"r.icd", "rusticl"}).ends_with("RUSTICL_ENABLE=llvmpipe turns the CPU into one"));
}

TEST_CASE("without a device the text says how to get one") {
    CHECK(devices_text({}).find("apt install pocl-opencl-icd") != std::string::npos);
}

TEST_CASE("every line about devices fits, in ASCII where asked") {
    for (unsigned width = 50; width <= 130; ++width) {
        const std::string text = devices_text({{pocl()}, {}}, {false, false, width});
        CHECK(widest(split_lines(text)) <= width);
        CHECK(is_ascii(text));
    }
}
