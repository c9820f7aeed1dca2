# Puts the shared libraries that MODULE needs and that are no part of every system into PACKAGE, with
# their licences: oneTBB, Highway, simdjson. FOLDERS are where the build has libraries of its own.
file(GLOB carried ${PACKAGE}/lib*.so*)
file(REMOVE_RECURSE ${carried} ${PACKAGE}/licenses)
file(GET_RUNTIME_DEPENDENCIES MODULES ${MODULE} DIRECTORIES ${FOLDERS}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|asan|ubsan|tsan)\\.so")
if(missing)
  message(FATAL_ERROR "the Python module needs ${missing}, which are nowhere to be found")
endif()
find_program(DPKG dpkg-query)
foreach(library IN LISTS libraries)
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} file)
  configure_file(${file} ${PACKAGE}/${name} COPYONLY)
  if(DPKG)
    execute_process(COMMAND ${DPKG} -S ${file} OUTPUT_VARIABLE owner ERROR_QUIET)
    string(REGEX REPLACE ":.*" "" owner "${owner}")
    if(owner AND EXISTS /usr/share/doc/${owner}/copyright)
      configure_file(/usr/share/doc/${owner}/copyright ${PACKAGE}/licenses/${owner}.txt COPYONLY)
    endif()
  endif()
endforeach()
