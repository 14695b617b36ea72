#include "report/random_check.hpp"

#include <fmt/format.h>

namespace kwb {

std::string describe(const RandomCheck& check) {
    return fmt::format(
        "checked by random vectors, as a full reference would take too long: the chance of missing a wrong "
        "element is at most {:.2g}{}; {} elements were compared one by one",
        check.miss_chance,
        check.visible_error ? fmt::format(" (with random inputs, of one that is off by more than {:.2g})",
                                          *check.visible_error)
                            : "",
        check.compared_elements);
}

}  // namespace kwb
