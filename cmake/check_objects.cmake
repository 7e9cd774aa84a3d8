# Script that builds the objects in the folder FOLDER, and fails where they were older than their sources: the build with
# TESSERA_OBJECTS_FROM that runs it has read their times already.
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target tessera_objects
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(result)
  message(FATAL_ERROR "TESSERA_OBJECTS_FROM = '${FOLDER}': its objects do not build:\n${output}")
elseif(NOT output MATCHES "no work to do")
  message(FATAL_ERROR "TESSERA_OBJECTS_FROM = '${FOLDER}': its objects were older than their sources and are built now; build again")
endif()
