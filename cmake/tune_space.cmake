# TESSERA_TUNE_SPACE: whether hand-tuned kernels are compiled for the default or for a wide set of parameter values,
# which they offer to tuners (core/parameters/compiled.hpp). A test runs this file as a script.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TESSERA_TUNE_SPACE default CACHE STRING
      "Values of parameters that kernels are compiled for and tuners try: default, or wide (longer to compile)")
  set_property(CACHE TESSERA_TUNE_SPACE PROPERTY STRINGS default wide)
endif()
if(NOT TESSERA_TUNE_SPACE MATCHES "^(default|wide)$")
  message(FATAL_ERROR "TESSERA_TUNE_SPACE is '${TESSERA_TUNE_SPACE}', expected one of: default, wide")
endif()
# Definitions for every translation unit, including those of plugins and programs.
set(TESSERA_TUNE_SPACE_DEFINITIONS "")
if(TESSERA_TUNE_SPACE STREQUAL "wide")
  set(TESSERA_TUNE_SPACE_DEFINITIONS TESSERA_TUNE_SPACE_WIDE)
endif()
