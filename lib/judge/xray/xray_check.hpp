// SPDX-License-Identifier: Apache-2.0
// X-ray as a part of a run: what is asked of kwb-xray about each contestant, and what its answers mean for
// the verdict.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/face_link.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/reference.hpp"
#include "judge/xray/xray_room.hpp"
#include "model/request.hpp"

namespace kwb {

class XrayCheck {
public:
    /// All references must outlive it.
    XrayCheck(const RunRequest& request, const ProblemInstance& instance, const ReferenceSolver& solver,
              XrayRoom& room, FaceLink& face);
    /// Gives up what was not concluded.
    ~XrayCheck();
    XrayCheck(const XrayCheck&) = delete;
    XrayCheck& operator=(const XrayCheck&) = delete;

    /// Reads the sources of all kernels in the race and asks for their observations, without waiting for
    /// answers: they are worked on while drivers build.
    void begin(std::vector<ContestantState>& contestants);

    /// True if its answers are to be concluded: they matter to its verdict, or explain it.
    bool is_pending(const ContestantState& contestant) const;

    /// Waits for the answers about a contestant, sets KernelResult::xray, and adds what was found to the
    /// verdict. A failure of X-ray costs only its own answer.
    void conclude(ContestantState& contestant);

private:
    /// One observation of a contestant.
    struct Asked {
        KernelPlan plan;
        const ProblemInstance* instance = nullptr;
        const ReferenceSolver* solver = nullptr;
        const DeviceInfo* device = nullptr;
        PreparedXray prepared;
        bool has_outputs = false;  ///< which can be compared with the reference
        std::optional<KeptReport> answer = {};
        std::string obstacle = {};  ///< why it cannot be observed
        bool is_posted = false;

        XraySubject subject() const { return {plan, *instance, *solver, *device}; }
    };
    struct Small {
        std::optional<ProblemInstance> shipped;
        std::unique_ptr<const DeclaredSolver> solver;
    };
    struct Watched {
        std::string bench;  ///< key in the room
        std::vector<std::unique_ptr<Asked>> asked;
        std::vector<source::InclusiveLoop> loops;  ///< of the source
        Small small;
    };

    void ask(ContestantState& contestant, Watched& watched, std::optional<SourceFacts> facts,
             const std::string& unread);
    void ask_at(Watched& watched, const KernelPlan& plan, const ProblemInstance& instance,
                const ReferenceSolver& solver, const DeviceInfo& device,
                const std::vector<FunctionInfo>& functions, const XrayOptions& options);
    void ask_small(ContestantState& contestant, Watched& watched, const std::vector<FunctionInfo>& functions);
    void post(Watched& watched, Asked& asked);
    void await(Watched& watched, Asked& asked, const ContestantState& contestant);
    /// Compares the outputs of a run in another order. @return  WrongInOtherOrder, if that is the cause
    std::optional<Finding> compare(Watched& watched, const Asked& asked, Observed& observed);
    /// @return  nullopt: they cannot be compared
    std::optional<bool> has_right_outputs(const Asked& asked, const Observed& observed) const;
    /// The sizes at which the source gives the expected result as X-ray runs it, in two orders of its
    /// work-items; nullopt: at none. Runs it again.
    std::optional<Sizes> find_right_sizes(Watched& watched);
    bool is_right_in_other_order(Watched& watched, const Asked& asked);
    XrayOutcome outcome_of(const Watched& watched, bool is_foreign) const;
    static void judge(ContestantState& contestant, std::optional<Finding> other_order);

    const RunRequest& request_;
    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    XrayRoom& room_;
    FaceLink& face_;
    std::string compiler_;                    ///< empty: X-ray is left out, or not possible
    std::map<std::size_t, Watched> watched_;  ///< by contestant
};

}  // namespace kwb
