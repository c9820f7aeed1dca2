# cmake -DNM=... -DLIBRARY=... -P exports.cmake: the shared library exports the public API alone, and
# the loops over threads, which it shares with tandem::sim.
execute_process(COMMAND ${NM} --dynamic --defined-only --demangle ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[][;]" "" symbols "${symbols}")  # which are special in CMake's lists
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(count 0)
set(wrong "")
foreach(symbol IN LISTS symbols)
  string(REGEX MATCH "^[0-9a-f]* *([A-Za-z]) (.*)$" line "${symbol}")
  set(kind ${CMAKE_MATCH_1})
  set(name "${CMAKE_MATCH_2}")
  if(name MATCHES "^((typeinfo|typeinfo name|vtable|guard variable) for )?tandem::" AND NOT name MATCHES "detail::")
    math(EXPR count "${count} + 1")
  elseif(name MATCHES "^tandem::detail::(parallel_for|parallel_phases)\\(")
    # So that one number of threads holds for both libraries.
  elseif(name MATCHES "std::" AND kind MATCHES "^[WVu]$" AND NOT name MATCHES "tandem|hwy")
    # Templates of the standard library, of its own types: every user of them has the same ones.
  else()
    string(APPEND wrong "\n  ${symbol}")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "These are exported, but not of the public API:${wrong}")
elseif(count LESS 50)
  message(FATAL_ERROR "Only ${count} symbols are exported: is the check broken?")
endif()
message("${count} symbols of the public API are exported, and none of the rest")
