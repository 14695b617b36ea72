#include "judge/reference/float_inputs.hpp"

#include <string>

#include "judge/in_steps.hpp"
#include "judge/reference/floats.hpp"

namespace kwb {

std::vector<std::byte> make_float_input(const BufferSpec& buffer, Pass pass, std::uint64_t seed,
                                        unsigned magnitude, const Checkpoint& checkpoint) {
    auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
    const std::span<float> values = floats(bytes);
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + buffer.name);
    in_steps(values.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        if (pass == Pass::Exact)
            fill_integers(values.subspan(first, count), stream, magnitude, first);
        else
            fill_uniform(values.subspan(first, count), stream, first);
    });
    return bytes;
}

}  // namespace kwb
