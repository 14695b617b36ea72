// SPDX-License-Identifier: Apache-2.0
// Sample problems, devices and buffers for the judge.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "judge/reference/reference.hpp"
#include "judge/verify/layout.hpp"
#include "problems/problem.hpp"

namespace kwb::test {

inline ProblemInstance matmul(std::int64_t m, std::int64_t n, std::int64_t k) {
    return get_problem("matmul").at({{"M", m}, {"N", n}, {"K", k}});
}

inline DeviceInfo small_device() {
    DeviceInfo device;
    device.id = "test:0";
    device.name = "a small device";
    device.max_work_group_size = 256;
    device.max_work_item_sizes = {256, 256, 64};
    device.local_mem_bytes = 32u << 10;
    device.global_mem_bytes = 1u << 30;
    device.max_alloc_bytes = 256u << 20;
    device.base_align_bytes = 128;
    return device;
}

/// A buffer of floats, row-major.
inline BufferSpec floats_spec(std::vector<std::uint64_t> shape, Access access = Access::Write) {
    return {"C", ElementType{Scalar::Float32, 1}, access, std::move(shape)};
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// Inputs and expected values of one pass, and the inputs as floats.
struct Pass2D {
    PassData data;
    std::vector<float> a;
    std::vector<float> b;

    const OutputReference& c() const { return data.outputs.front().value; }
};

inline Pass2D make_pass(const ProblemInstance& instance, Pass pass, std::uint64_t seed) {
    Pass2D made{find_solver("matmul")->make(instance, pass, seed, [] {}), {}, {}};
    made.a = values_of<float>(*find_named(made.data.inputs, "A"));
    made.b = values_of<float>(*find_named(made.data.inputs, "B"));
    return made;
}

}  // namespace kwb::test
