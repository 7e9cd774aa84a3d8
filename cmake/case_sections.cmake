# Generates the registration of the sections of case files, in the order of the modules. Each header
# physics/<module>/case/<name>_section.hpp declares the struct <module>::<Name>Section. A header
# physics/<module>/case/trial_source.hpp declares <module>::trial_source(case), the source of trial inputs for cases of
# that kind.
include(${CMAKE_CURRENT_LIST_DIR}/names.cmake)
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/modules.txt lines REGEX "^[a-z]")
set(includes "")
set(calls "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ":.*" "" module ${line})
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/physics/${module}/case/*_section.hpp)
  file(GLOB source CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/physics/${module}/case/trial_source.hpp)
  foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME_WE)
    string(APPEND includes "#include \"physics/${module}/case/${name}.hpp\"\n")
    tessera_type_name(${name} type)
    string(APPEND calls "  registry.add_section<${module}::${type}>(\"${module}\");\n")
  endforeach()
  if(source)
    string(APPEND includes "#include \"physics/${module}/case/trial_source.hpp\"\n")
    string(APPEND calls "  registry.add_trial_source(\"${module}\", ${module}::trial_source);\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/register_all_cases.cpp CONTENT "\
// Generated: the kinds of cases that this build knows.
#include \"core/case/case_registry.hpp\"
${includes}
namespace tessera::cases {

void register_all_cases(CaseRegistry& registry) {
${calls}}

}  // namespace tessera::cases
" @ONLY)
