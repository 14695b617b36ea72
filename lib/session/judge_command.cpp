#include "session/judge_command.hpp"

#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"

namespace kwb {

JudgeCommand default_judge_command() {
    if (const char* chosen = std::getenv("KWB_JUDGE"); chosen != nullptr && !trim(chosen).empty()) {
        JudgeCommand command;
        for (std::string& word : split(trim(chosen), ' '))
            if (!word.empty()) command.push_back(std::move(word));
        return command;
    }
    return {(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-judge").string()};
}

}  // namespace kwb
