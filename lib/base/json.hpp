// JSON as the workbench speaks it: strict when read, never a bare NaN when written.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// Objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// A number, or "nan", "inf", "-inf": JSON has no such numbers, and null means "not measured".
Json number_to_json(double value);

/// null for what is missing.
Json number_to_json(const std::optional<double>& value);

/// Compact text; bytes that are no UTF-8 were replaced.
std::string dump_json(const Json& json, int indent = -1);

/// @throws ProtocolError unless `text` is one JSON value, at most 64 levels deep
Json parse_json(std::string_view text);

/// Reads one JSON object whose sender is not trusted. Every getter throws ProtocolError, naming the key,
/// if it is missing, of another type or out of range.
class JsonReader {
public:
    /// @param json  must outlive the reader
    explicit JsonReader(const Json& json, std::string path = "message");

    bool has(const char* key) const;  ///< present and not null
    std::string text(const char* key) const;
    bool boolean(const char* key) const;
    std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;
    std::uint64_t unsigned_integer(const char* key, std::uint64_t most = UINT64_MAX) const;
    double number(const char* key) const;  ///< understands "nan", "inf", "-inf"
    std::optional<double> optional_number(const char* key) const;
    const Json& object(const char* key) const;
    const Json& array(const char* key) const;
    std::vector<std::string> texts(const char* key) const;
    std::vector<double> numbers(const char* key) const;
    std::vector<std::uint64_t> unsigned_integers(const char* key) const;
    [[noreturn]] void refuse(const char* key, const char* wanted) const;

private:
    const Json& at(const char* key) const;
    const Json& json_;
    std::string path_;
};

}  // namespace kwb
