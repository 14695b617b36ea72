#include "model/result.hpp"

#include <algorithm>

namespace kwb {

bool KernelResult::as_expected() const {
    if (!judged) return false;
    if (!expected) return verdict == Verdict::Correct;
    return std::find(expected->verdicts.begin(), expected->verdicts.end(), verdict) !=
           expected->verdicts.end();
}

}  // namespace kwb
