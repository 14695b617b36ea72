// SPDX-License-Identifier: Apache-2.0
// .npy files: any bytes are either read, or rejected with the file's name; what was read can be written and
// read again.
#include "base/npy.hpp"

#include "base/error.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

void try_file(std::string_view bytes) {
    try {
        const NpyHeader header = read_npy("x.npy", bytes);
        must(header.data_offset <= bytes.size(), "the numbers begin within the file");
        const std::string_view data = bytes.substr(header.data_offset);
        std::uint64_t wanted = header.type.item_bytes;
        for (const std::uint64_t extent : header.shape) wanted *= extent;
        must(data.size() == wanted, "there are as many as the shape says");
        const std::string again = make_npy(header.type, header.shape, data);
        const NpyHeader back = read_npy("y.npy", again);
        must(back.type == header.type && back.shape == header.shape, "what is written is read");
        must(again.substr(back.data_offset) == data, "the numbers are the same");
    } catch (const BadInput& refusal) {
        must(std::string_view(refusal.what()).starts_with("x.npy: "), "a refusal names the file");
    }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_file(kwb::fuzz::as_text(data, size));
    return 0;
}
