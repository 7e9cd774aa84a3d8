# Tests that TESSERA_TUNE_SPACE accepts its two values, and refuses any other with a message that names both.
set(option ${CMAKE_CURRENT_LIST_DIR}/../cmake/tune_space.cmake)
foreach(space IN ITEMS default wide wider "")
  execute_process(COMMAND ${CMAKE_COMMAND} "-DTESSERA_TUNE_SPACE=${space}" -P ${option}
                  RESULT_VARIABLE result ERROR_VARIABLE text)
  if(space MATCHES "^(default|wide)$")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "'${space}' is refused:\n${text}")
    endif()
  elseif(result EQUAL 0 OR NOT text MATCHES "TESSERA_TUNE_SPACE is '${space}', expected one of: default, wide")
    message(FATAL_ERROR "'${space}' is not refused as it should be (${result}):\n${text}")
  endif()
endforeach()
