// SPDX-License-Identifier: Apache-2.0
// The headers that most sources include. The release and sanitizer presets compile them once; a source still
// includes what it uses, which the dev and clang presets check by compiling without this file.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
