// SPDX-License-Identifier: Apache-2.0
#include "base/csv.hpp"

namespace kwb {

std::string no_formula(const std::string& text) {
    return text.find_first_of("=+-@\t\r") == 0 ? "'" + text : text;
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) {
        if (&field != &fields.front()) line += ',';
        if (field.find_first_of(",\"\r\n") == std::string::npos) {
            line += field;
            continue;
        }
        line += '"';
        for (const char c : field) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + "\r\n";
}

std::vector<std::vector<std::string>> read_csv(std::string_view text, char separator) {
    std::vector<std::vector<std::string>> records;
    std::vector<std::string> record;
    std::string field;
    bool is_quoted = false;
    const auto end_field = [&] {
        record.push_back(std::move(field));
        field.clear();
    };
    const auto end_record = [&] {
        end_field();
        if (record.size() > 1 || !record.front().empty()) records.push_back(std::move(record));
        record.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_quoted) {
            if (c != '"') {
                field += c;
            } else if (i + 1 < text.size() && text[i + 1] == '"') {
                field += c;
                ++i;
            } else {
                is_quoted = false;
            }
        } else if (c == '"' && field.empty()) {
            is_quoted = true;
        } else if (c == separator) {
            end_field();
        } else if (c == '\n') {
            end_record();
        } else if (c != '\r') {
            field += c;
        }
    }
    if (!field.empty() || !record.empty()) end_record();
    return records;
}

}  // namespace kwb
