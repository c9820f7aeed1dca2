# Turns modules of chip/rtl into C++ with Verilator, where that is installed; sets TANDEM_HAS_VERILATOR.
#
# tandem_verilate(TARGET TOP [FOLDER folder]): a library that simulates the module TOP, which is in
# chip/rtl or in another folder, with the header V<TOP>.h. It is made when something needs it.
find_program(TANDEM_VERILATOR verilator DOC "Verilator 5; empty to do without")
find_program(TANDEM_MAKE NAMES gmake make)
set(TANDEM_HAS_VERILATOR OFF)
if(TANDEM_VERILATOR AND TANDEM_MAKE)
  execute_process(COMMAND ${TANDEM_VERILATOR} --version
                  OUTPUT_VARIABLE verilator_version ERROR_QUIET)
  execute_process(COMMAND ${TANDEM_VERILATOR} --getenv VERILATOR_ROOT
                  OUTPUT_VARIABLE TANDEM_VERILATOR_ROOT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(verilator_version MATCHES "^Verilator ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 5)
    set(TANDEM_HAS_VERILATOR ON)
  endif()
endif()

# What all simulations use: Verilator's own sources.
if(TANDEM_HAS_VERILATOR)
  find_package(Threads REQUIRED)
  set(include ${TANDEM_VERILATOR_ROOT}/include)
  add_library(tandem_verilated STATIC EXCLUDE_FROM_ALL ${include}/verilated.cpp
    ${include}/verilated_threads.cpp ${include}/verilated_vcd_c.cpp)
  target_include_directories(tandem_verilated SYSTEM PUBLIC ${include} ${include}/vltstd)
  target_compile_features(tandem_verilated PUBLIC cxx_std_20)
  set_target_properties(tandem_verilated PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(tandem_verilated PUBLIC Threads::Threads)
endif()

set(TANDEM_RTL_FOLDER ${PROJECT_SOURCE_DIR}/chip/rtl)
file(GLOB TANDEM_RTL_SOURCES CONFIGURE_DEPENDS ${TANDEM_RTL_FOLDER}/*.sv)

function(tandem_verilate target top)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FOLDER" "")
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${TANDEM_RTL_FOLDER})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/verilated/${top})
  set(header ${folder}/V${top}.h)
  set(model ${folder}/V${top}__ALL.a)
  # Waveforms can be written; it costs next to nothing where nobody asks for them. Assertions are on.
  add_custom_command(OUTPUT ${header} ${model}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${TANDEM_VERILATOR} --cc --trace --assert -Wall -O3 --x-assign fast --x-initial fast
            -y ${TANDEM_RTL_FOLDER} --top-module ${top} --Mdir ${folder} ${arg_FOLDER}/${top}.sv
            -CFLAGS "-O2 -std=c++20 -fPIC"
    COMMAND ${CMAKE_COMMAND} -E env "CXX=${CMAKE_CXX_COMPILER}" --unset=MAKEFLAGS ${TANDEM_MAKE} -s
            -C ${folder} -f V${top}.mk CXX=${CMAKE_CXX_COMPILER} LINK=${CMAKE_CXX_COMPILER}
            OBJCACHE=${CMAKE_CXX_COMPILER_LAUNCHER} V${top}__ALL.a
    DEPENDS ${TANDEM_RTL_SOURCES} ${arg_FOLDER}/${top}.sv
    COMMENT "Verilating ${top}"
    VERBATIM)
  add_custom_target(${target}_files DEPENDS ${header} ${model})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_files)
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
  target_link_libraries(${target} INTERFACE ${model} tandem_verilated)
endfunction()
