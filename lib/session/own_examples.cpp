#include "session/own_examples.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.hpp"

namespace kwb {
namespace {

using Kind = SourceParameter::Kind;

class Examples {
public:
    Examples(const std::vector<ArgumentToTell>& arguments, const ProblemInstance& problem)
        : arguments_(arguments), problem_(problem) {
        std::size_t written = 0, read = 0;
        for (const ArgumentToTell& argument : arguments) {
            if (!argument.value.empty()) taken_.insert(argument.value);
            if (argument.parameter.kind == Kind::Buffer) ++(argument.parameter.is_const ? read : written);
        }
        const auto outputs = std::count_if(problem.buffers.begin(), problem.buffers.end(),
                                           [](const BufferSpec& b) { return b.access != Access::Read; });
        says_const_ = read > 0 || written <= static_cast<std::size_t>(outputs);
    }

    std::vector<std::string> make() {
        std::vector<std::string> made;
        for (const ArgumentToTell& argument : arguments_)
            if (argument.value.empty())
                made.push_back(argument.parameter.name + "=" +
                               (argument.parameter.kind == Kind::Buffer ? buffer_for(argument.parameter)
                                                                        : value_for(argument.parameter)));
        return made;
    }

private:
    bool is_free(const std::string& name) const { return taken_.find(name) == taken_.end(); }

    /// The first buffer that `fits`, one that no other argument has before one that some has.
    template <class Fits>
    const BufferSpec* find_buffer(bool only_free, const Fits& fits) const {
        for (const BufferSpec& buffer : problem_.buffers)
            if ((!only_free || is_free(buffer.name)) && fits(buffer)) return &buffer;
        return nullptr;
    }

    std::string buffer_for(const SourceParameter& parameter) {
        const auto type = parse_element_type(parameter.type);
        const auto is_type = [&](const BufferSpec& b) { return !type || type->scalar == b.type.scalar; };
        const auto is_meant = [&](const BufferSpec& b) {
            return is_type(b) && (b.access == Access::Read) == parameter.is_const;
        };
        const BufferSpec* found = says_const_ ? find_buffer(true, is_meant) : nullptr;
        if (found == nullptr) found = find_buffer(true, is_type);
        if (found == nullptr) found = find_buffer(false, is_meant);
        if (found == nullptr) found = find_buffer(false, is_type);
        if (found == nullptr) found = &problem_.buffers.front();
        taken_.insert(found->name);
        return found->name;
    }

    /// "M", or for a vector "[M,1]"
    std::string value_for(const SourceParameter& parameter) {
        const auto type = parse_element_type(parameter.type);
        const std::string number = number_for(parameter, type);
        if (!type || type->width == 1) return number;
        std::string list = "[" + number;
        for (unsigned i = 1; i < type->width; ++i) list += ",1";
        return list + "]";
    }

    std::string number_for(const SourceParameter& parameter, const std::optional<ElementType>& type) {
        if (to_lower(parameter.name).find("off") != std::string::npos) return "0";
        const bool wants_decimal = type && type->is_floating();
        for (const ScalarSpec& scalar : problem_.scalars)
            if (is_free(scalar.name) && scalar.type.is_floating() == wants_decimal) {
                taken_.insert(scalar.name);
                return scalar.name;
            }
        return "1";
    }

    const std::vector<ArgumentToTell>& arguments_;
    const ProblemInstance& problem_;
    std::set<std::string> taken_;
    bool says_const_ = false;  ///< its author wrote `const` where something is only read
};

}  // namespace

std::vector<std::string> example_values(const std::vector<ArgumentToTell>& arguments,
                                        const ProblemInstance& problem) {
    return Examples(arguments, problem).make();
}

}  // namespace kwb
