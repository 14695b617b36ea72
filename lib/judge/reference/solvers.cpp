// One solver for each problem of lib/problems.
#include <map>

#include "base/error.hpp"
#include "judge/reference/convolution_reference.hpp"
#include "judge/reference/copy_reference.hpp"
#include "judge/reference/fma_chain_reference.hpp"
#include "judge/reference/histogram_reference.hpp"
#include "judge/reference/matmul_reference.hpp"
#include "judge/reference/reduce_reference.hpp"
#include "judge/reference/scan_reference.hpp"
#include "judge/reference/stencil_reference.hpp"
#include "judge/reference/transpose_reference.hpp"
#include "judge/reference/vector_add_reference.hpp"

namespace kwb {

std::string_view ReferenceSolver::describe_inputs(Pass pass) const {
    return pass == Pass::Exact ? "small integer" : "random";
}

void ReferenceSolver::run_host_library(const ProblemInstance& instance, const PassData&,
                                       std::vector<std::vector<std::byte>>&) const {
    throw ContractError("ReferenceSolver: the host's library has no routine for " + instance.problem);
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const MatmulSolver matmul;
    static const TransposeSolver transpose;
    static const SumSolver sum;
    static const MaxSolver max;
    static const ScanSolver scan;
    static const HistogramSolver histogram;
    static const ConvolutionSolver convolution;
    static const StencilSolver stencil;
    static const VectorAddSolver vector_add;
    static const SaxpySolver saxpy;
    static const CopySolver copy;
    static const FmaChainSolver fma_chain;
    static const std::map<std::string_view, const ReferenceSolver*> solvers = {{"matmul", &matmul},
                                                                               {"transpose", &transpose},
                                                                               {"sum", &sum},
                                                                               {"max", &max},
                                                                               {"scan", &scan},
                                                                               {"histogram", &histogram},
                                                                               {"convolution", &convolution},
                                                                               {"stencil", &stencil},
                                                                               {"vector_add", &vector_add},
                                                                               {"saxpy", &saxpy},
                                                                               {"copy", &copy},
                                                                               {"fma_chain", &fma_chain}};
    const auto found = solvers.find(problem);
    return found == solvers.end() ? nullptr : found->second;
}

}  // namespace kwb
