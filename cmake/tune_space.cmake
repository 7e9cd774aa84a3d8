# How many values of its knobs a hand-tuned kernel offers to a tuner, and is compiled for
# (core/parameters/compiled.hpp). Also run as a script, by its test.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TESSERA_TUNE_SPACE default CACHE STRING
      "Values of knobs that kernels are compiled for and tuners try: default, or wide (longer to compile)")
  set_property(CACHE TESSERA_TUNE_SPACE PROPERTY STRINGS default wide)
endif()
if(NOT TESSERA_TUNE_SPACE MATCHES "^(default|wide)$")
  message(FATAL_ERROR "TESSERA_TUNE_SPACE is '${TESSERA_TUNE_SPACE}', expected one of: default, wide")
endif()
# For every unit, those of plugins and programs too.
set(TESSERA_TUNE_SPACE_DEFINITIONS "")
if(TESSERA_TUNE_SPACE STREQUAL "wide")
  set(TESSERA_TUNE_SPACE_DEFINITIONS TESSERA_TUNE_SPACE_WIDE)
endif()
