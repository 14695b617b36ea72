// SPDX-License-Identifier: Apache-2.0
// Several places as tasks of one Slurm allocation: --on slurm:PARTITION:TASKS.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "ipc/child.hpp"
#include "task/judge_place.hpp"

namespace kwb {

/// True if this place stands for the tasks of an allocation, which must be made first.
bool is_allocation(const JudgePlace& place);

/// Asks for the allocation, and holds it while this exists. The allocation is released however this process
/// ends: salloc ends when its command ends, and that ends with its input.
class SlurmAllocation {
public:
    /// Does not wait. Call on a thread that lives as long.
    /// @param wanted  with the command {"slurm:PARTITION:TASKS", options for salloc and srun …}
    /// @throws BadInput  it is not of this form
    explicit SlurmAllocation(const JudgePlace& wanted);
    ~SlurmAllocation();
    SlurmAllocation(const SlurmAllocation&) = delete;
    SlurmAllocation& operator=(const SlurmAllocation&) = delete;

    /// @return  the tasks once the allocation is granted, each the place of a judge; nullopt: not yet
    /// @throws EnvironmentError  it was refused
    std::optional<std::vector<JudgePlace>> tasks();

    /// The last message of salloc: why it waits.
    std::string last_line() const;

private:
    std::string said() const;

    JudgePlace wanted_;
    unsigned count_ = 0;
    Fd said_;  ///< a file in memory: what salloc printed to its standard error
    std::optional<Child> salloc_;
};

}  // namespace kwb
