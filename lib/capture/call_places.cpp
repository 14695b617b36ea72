// SPDX-License-Identifier: Apache-2.0
#include "capture/call_places.hpp"

#include <cxxabi.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <filesystem>
#include <map>

namespace kwb::capture {
namespace {

struct DwflEnd {
    void operator()(Dwfl* dwfl) const { ::dwfl_end(dwfl); }
};

/// A program or library with its symbols.
struct Module {
    std::unique_ptr<Dwfl, DwflEnd> dwfl;
    Dwfl_Module* module = nullptr;
    GElf_Addr bias = 0;
};

Module open_module(const std::string& path) {
    static const Dwfl_Callbacks kCallbacks = {.find_elf = nullptr,
                                              .find_debuginfo = ::dwfl_standard_find_debuginfo,
                                              .section_address = ::dwfl_offline_section_address,
                                              .debuginfo_path = nullptr};
    Module opened;
    opened.dwfl.reset(::dwfl_begin(&kCallbacks));
    if (!opened.dwfl) return opened;
    opened.module = ::dwfl_report_offline(opened.dwfl.get(), path.c_str(), path.c_str(), -1);
    ::dwfl_report_end(opened.dwfl.get(), nullptr, nullptr);
    if (opened.module != nullptr) ::dwfl_module_getelf(opened.module, &opened.bias);
    return opened;
}

/// As short as it names the file: relative to the current folder if the file is in it.
std::string short_path(const std::string& path) {
    std::error_code error;
    const auto here = std::filesystem::current_path(error);
    if (error) return path;
    const auto relative = std::filesystem::path(path).lexically_relative(here);
    return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

/// "run(int)" of "_Z3runi"
std::string readable(const char* name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        ::abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

/// @return  the file; nullptr: unknown
const char* find_line(Dwfl_Module* module, GElf_Addr address, int& line) {
    if (Dwfl_Line* const row = ::dwfl_module_getsrc(module, address))
        return ::dwfl_lineinfo(row, nullptr, &line, nullptr, nullptr, nullptr);
    // clang writes no table of addresses (.debug_aranges), so ask each unit.
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = ::dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
        if (::dwarf_haspc(unit, address - bias) <= 0) continue;
        Dwarf_Line* const row = ::dwarf_getsrc_die(unit, address - bias);
        if (row == nullptr || ::dwarf_lineno(row, &line) != 0) return nullptr;
        return ::dwarf_linesrc(row, nullptr, nullptr);
    }
    return nullptr;
}

/// Of the C library, which starts the program and its threads.
bool is_system(const std::string& module) {
    return module.starts_with("libc.so") || module.starts_with("ld-linux") ||
           module.starts_with("libpthread.so");
}

}  // namespace

struct CallPlaces::Modules {
    std::map<std::string, Module> by_path;

    const Module& find(const std::string& path) {
        const auto known = by_path.find(path);
        return known != by_path.end() ? known->second
                                      : by_path.emplace(path, open_module(path)).first->second;
    }
};

CallPlaces::CallPlaces() : modules_(std::make_unique<Modules>()) {}
CallPlaces::~CallPlaces() = default;

CallPlace CallPlaces::find(const std::vector<CodeAddress>& frames) {
    CallPlace first;
    for (const CodeAddress& frame : frames) {
        CallPlace place;
        place.module = std::filesystem::path(frame.module).filename().string();
        if (is_system(place.module)) continue;
        const Module& module = modules_->find(frame.module);
        if (module.module != nullptr) {
            const GElf_Addr address =
                frame.offset - 1 + module.bias;  // the call is before its return address
            if (const char* const name = ::dwfl_module_addrname(module.module, address))
                place.function = readable(name);
            int line = 0;
            const char* const file = find_line(module.module, address, line);
            if (file != nullptr && line > 0) {
                place.file = short_path(file);
                place.line = static_cast<std::uint32_t>(line);
                return place;
            }
        }
        if (first.module.empty()) first = place;
    }
    return first;
}

}  // namespace kwb::capture
