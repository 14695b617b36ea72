// SPDX-License-Identifier: Apache-2.0
// What a client of the Debug Adapter Protocol may unfold: calls, their scopes, variables and their parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "debug/evaluate.hpp"

namespace kwb::debug {

class DapValues {
public:
    explicit DapValues(const Player& player) : player_(player) {}

    /// Ends all references, because a movement has changed the values.
    void forget();

    /// The number of a call at a moment.
    std::int64_t refer(const Scope& scope);
    /// @throws BadInput  the number is none of now
    const Scope& scope(std::int64_t frame_id) const;

    /// The answers' bodies. @throws BadInput  a number is none of now
    Json scopes(std::int64_t frame_id);
    Json variables(std::int64_t reference, std::uint64_t start, std::optional<std::uint64_t> count);

    /// "result", its type, and how to unfold it.
    Json evaluated(const std::string& expression, const Evaluated& value, const Scope& scope);

    struct Memory {
        std::string name;
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    /// A part of what can be unfolded, by its name; nullopt: it is no memory of its own.
    std::optional<Memory> memory(std::int64_t reference, const std::string& name);

private:
    /// Memory of one type; with extents, that many elements of it.
    struct Part {
        std::string name;
        std::string expression;  ///< empty: none
        std::uint32_t type = kUnknownType;
        std::uint64_t address = 0;
        std::vector<std::uint64_t> extents;  ///< outermost first
    };
    enum class What { Part, WorkItem, Arguments, Locals, Group, Constants, Buffers };
    struct Container {
        What what = What::Part;
        Scope scope;
        Part part = {};
    };

    std::uint64_t bytes_of(const Part& part) const;
    /// The parts of a part: those that have an index, or those with names.
    std::uint64_t indexed(const Part& part) const;
    Part element(const Part& part, std::uint64_t index) const;
    std::vector<Part> members(const Part& part) const;
    /// What a pointer refers to, as elements up to the end of its buffer; nullopt: nothing that is known.
    std::optional<Part> target(const Part& part, const Scope& scope) const;
    std::optional<Part> elements_at(std::uint64_t address, std::uint32_t type,
                                    const std::string& expression) const;
    std::vector<Part> listed(What what, const Scope& scope) const;
    std::string text(const Part& part, const Scope& scope) const;
    std::string type_text(const Part& part) const;
    /// The reference with which a part can be unfolded, and the numbers of its parts, added to an answer.
    void add_reference(Json& answer, const Part& part, const Scope& scope);
    Json variable(const Part& part, const Scope& scope);
    Json ids(const Scope& scope) const;
    const Container& container(std::int64_t reference) const;
    std::int64_t keep(Container container);

    const Player& player_;
    const Recording& recording() const { return player_.recording(); }
    std::int64_t first_scope_ = 1;  ///< the numbers of earlier ones are not used again
    std::vector<Scope> scopes_;
    std::int64_t first_container_ = 1;
    std::vector<Container> containers_;
};

}  // namespace kwb::debug
