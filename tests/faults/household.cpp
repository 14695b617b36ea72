#include "faults/household.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

namespace kwb::test {
namespace {

constexpr auto kMoment = std::chrono::seconds(2);

struct ProcessRow {
    std::string name;
    char state = 0;
    pid_t parent = 0;
    pid_t group = 0;
};

std::map<pid_t, ProcessRow> list_processes() {
    std::map<pid_t, ProcessRow> rows;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string number = entry.path().filename().string();
        if (number.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        if (!std::getline(file, stat)) continue;
        // "number (name) state parent …", where the name may hold anything.
        const std::size_t open = stat.find('(');
        const std::size_t close = stat.rfind(')');
        ProcessRow row{stat.substr(open + 1, close - open - 1), 0, 0, 0};
        std::istringstream rest(stat.substr(close + 1));
        if (rest >> row.state >> row.parent >> row.group) rows[std::stoi(number)] = row;
    }
    return rows;
}

bool is_below(const std::map<pid_t, ProcessRow>& rows, pid_t pid, pid_t ancestor) {
    for (auto row = rows.find(pid); row != rows.end(); row = rows.find(row->second.parent))
        if (row->second.parent == ancestor) return true;
    return false;
}

std::map<pid_t, std::string> find_strays(std::optional<pid_t> judge) {
    std::map<pid_t, std::string> strays;
    const std::map<pid_t, ProcessRow> rows = list_processes();
    for (const auto& [pid, row] : rows) {
        if (pid == judge || !is_below(rows, pid, ::getpid())) continue;
        // An adopted one that has ended would stay a zombie.
        if (row.parent == ::getpid() && row.state == 'Z') ::waitpid(pid, nullptr, WNOHANG);
        // A runner leads its group.
        const auto leader = rows.find(row.group);
        if (judge && leader != rows.end() && leader->second.parent == judge) continue;
        strays[pid] = "process " + std::to_string(pid) + " (" + row.name + ")";
    }
    return strays;
}

}  // namespace

void adopt_orphans() {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        throw std::system_error(errno, std::generic_category(), "PR_SET_CHILD_SUBREAPER");
}

std::vector<std::string> end_strays(std::optional<pid_t> judge) {
    const auto deadline = std::chrono::steady_clock::now() + kMoment;
    std::map<pid_t, std::string> strays = find_strays(judge);
    while (!strays.empty() && std::chrono::steady_clock::now() < deadline) {
        ::poll(nullptr, 0, 5);
        strays = find_strays(judge);
    }
    std::vector<std::string> names;
    for (const auto& [pid, name] : strays) {
        ::kill(pid, SIGKILL);
        names.push_back(name);
    }
    return names;
}

}  // namespace kwb::test
