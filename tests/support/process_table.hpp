// The processes of this machine, as /proc lists them.
#pragma once

#include <sys/types.h>

#include <vector>

namespace kwb::test {

struct ListedProcess {
    pid_t pid = 0;
    pid_t parent = 0;
    char state = '?';  ///< 'R', 'S', 'Z' (zombie) …
};

/// One that ends meanwhile may be missing. Source: proc_pid_stat(5).
std::vector<ListedProcess> list_processes();

}  // namespace kwb::test
