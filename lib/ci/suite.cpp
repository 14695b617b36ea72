// SPDX-License-Identifier: Apache-2.0
#include "ci/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/toml_reader.hpp"

namespace kwb {
namespace {

/// [[case]] with what is read in a second step.
struct CaseTable {
    CiCase about;
    double timeout_s = 30;
    const toml::node* params = nullptr;
};

template <class Fields>
void describe(Fields& f, CaseTable& table) {
    CiCase& about = table.about;
    f("name", about.name);
    f("kernels", about.kernels, items(1, kMostTomlElements));
    f("problem", about.problem);
    f("entry", about.entry);
    f("args", about.args);
    f("global", about.global);
    f("local", about.local);
    f.defaulted("build_options", about.build_options);
    f.defaulted("sizes", about.sizes, items(1, kMostTomlItems));
    f("time_at", about.time_at);
    f.defaulted("params", table.params);
    f.defaulted("devices", about.devices, items(1, kMostTomlItems));
    f("expect", about.expect);
    f.defaulted("timeout_s", table.timeout_s, between(0.1, 3600));
    f.defaulted("tags", about.tags);
}

struct SuiteTable {
    std::vector<const toml::node*> cases = {};
};

template <class Fields>
void describe(Fields& f, SuiteTable& table) {
    f("case", table.cases, items(1, kMostTomlElements));
}

/// @param node  "all", or a table with a value or a list for each parameter
void read_params(const TomlReader& reader, const toml::node& node, CiCase& about) {
    if (node.is_string()) {
        about.has_all_params = reader.text(node, "params") == "all";
        if (!about.has_all_params)
            reader.refuse(node, "params must be \"all\", or a table: {TILE = [8, 16]}");
        return;
    }
    for (const TomlReader::Item& item : reader.items(node, "params")) {
        std::vector<std::string> values;
        for (const toml::node* value : reader.one_or_more(*item.node))
            values.push_back(reader.written(*value, item.name).text);
        if (values.empty()) reader.refuse(item, item.name + " has no value");
        about.params.push_back({item.name, std::move(values)});
    }
}

CiCase read_case(const TomlReader& reader, const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) reader.refuse(node, "case must be a table: [[case]]");
    CaseTable read;
    TomlRecordRules{reader, [](const Expression&) { return std::string(); }}.take(*table, "a case", read);
    if (read.params != nullptr) read_params(reader, *read.params, read.about);
    if (trim(read.about.name).empty()) reader.refuse(*table->get("name"), "name must not be empty");
    read.about.timeout_ms = 1000 * read.timeout_s;
    return read.about;
}

}  // namespace

CiSuite read_suite(const std::filesystem::path& file) {
    const TomlReader reader(file.string(), read_file(file, kMostTomlBytes));
    SuiteTable table;
    TomlRecordRules{reader, [](const Expression&) { return std::string(); }}.take(reader.root(), kSuiteFile,
                                                                                  table);
    CiSuite suite{std::filesystem::absolute(file), {}};
    for (const toml::node* node : table.cases) {
        CiCase about = read_case(reader, *node);
        if (std::ranges::find(suite.cases, about.name, &CiCase::name) != suite.cases.end())
            reader.refuse(*node, fmt::format("there is another case \"{}\"; rename one", about.name));
        suite.cases.push_back(std::move(about));
    }
    return suite;
}

}  // namespace kwb
