#include "gui/panels/driver_lines.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace kwb::gui {
namespace {

std::string who(const std::string& name, const std::string& file) {
    return name.empty() ? std::filesystem::path(file).filename().string() : name;
}

}  // namespace

std::string short_line(const IdleDriver& driver) {
    return who(driver.name, driver.driver_file) + ": no device in this machine";
}

std::string short_line(const DriverFailure& failure) {
    const std::string driver = who(failure.name, failure.driver_file);
    switch (failure.kind) {
        case DriverFailure::Kind::NotLoaded:
            return driver + ": its library cannot be loaded";
        case DriverFailure::Kind::Refused:
            return driver + ": answers with an error";
        case DriverFailure::Kind::Crashed:
            return driver + ": crashes when it is asked";
        case DriverFailure::Kind::Hung:
            return driver + ": does not answer";
        case DriverFailure::Kind::NoCompiler:
            return driver + ": has no compiler";
    }
    return driver;
}

std::string short_line(const StartingDriver& driver) {
    return fmt::format("{}: starting, {:.0f} s of at most {:g} s", who("", driver.driver_file),
                       driver.waited_ms / 1000, driver.most_ms / 1000);
}

bool is_alarming(const DriverFailure& failure) {
    return failure.kind != DriverFailure::Kind::NotLoaded;
}

}  // namespace kwb::gui
