# SPDX-License-Identifier: Apache-2.0
# Run as a script in each build: write HEADER, which defines KWB_COMMIT, the commit that ROOT is at ("" outside a clone).
# A header with the same content keeps its time, so that only a new commit compiles anything.
set(commit "")
if(EXISTS "${ROOT}/.git")
  execute_process(COMMAND git -C "${ROOT}" describe --always --dirty --exclude * --abbrev=12
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define KWB_COMMIT \"${commit}\"\n")
