#include "support/process_table.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kwb::test {

std::vector<ListedProcess> list_processes() {
    std::vector<ListedProcess> processes;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        if (!std::getline(file, stat)) continue;
        // "number (name) state parent …", where the name may hold anything.
        std::istringstream rest(stat.substr(stat.rfind(')') + 1));
        ListedProcess process{static_cast<pid_t>(std::atoi(stat.c_str())), 0, '?'};
        if (process.pid > 0 && rest >> process.state >> process.parent) processes.push_back(process);
    }
    return processes;
}

}  // namespace kwb::test
