# How the targets of this project are compiled; sets TANDEM_HAS_CUDA.
include(CheckCXXCompilerFlag)

# Where a parent project says nothing about optimisation, Tandem itself is compiled as in a release:
# without optimisation queries take 60 times as long.
get_directory_property(inherited_options COMPILE_OPTIONS)
set(tandem_optimisation "")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES
   AND NOT "${CMAKE_CXX_FLAGS} ${inherited_options}" MATCHES "(^|[ ;])-O")
  set(tandem_optimisation -O3 -DNDEBUG)
  message(STATUS "tandem: no build type is given, so Tandem is compiled with -O3 -DNDEBUG "
                 "(CMAKE_BUILD_TYPE decides for all)")
endif()

# What distributions compile their packages with, as far as the compiler has it. Sanitizers check
# more than that.
if(TANDEM_SANITIZE)
  set(TANDEM_HARDENING OFF)
endif()
set(tandem_hardening "")
if(TANDEM_HARDENING)
  # Sizes of buffers are known to the compiler only where it optimises.
  set(tandem_hardening
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "TANDEM_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      list(APPEND tandem_hardening ${flag})
    endif()
  endforeach()
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
endif()

# tandem_sanitize(TARGET SANITIZERS): for the target and all that link it.
function(tandem_sanitize target sanitizers)
  target_compile_options(${target} PUBLIC -fsanitize=${sanitizers} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(${target} PUBLIC -fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What g++ works out from the flow of a function, it gets wrong in instrumented code.
    target_compile_options(${target} PUBLIC -Wno-array-bounds -Wno-uninitialized
                           -Wno-maybe-uninitialized -Wno-stringop-overflow)
  endif()
endfunction()

# tandem_compile_options(TARGET): the flags that every target of this project is compiled with.
#
# -ffp-contract=off is part of the numeric contract: multiplications and additions are fused only
# where the source says so, so that every build and every device gets the same bits.
function(tandem_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${tandem_optimisation};-ffp-contract=off;-Wall;-Wextra;-Wpedantic>"
    # Signs are joined without branches on purpose, which newer versions of clang take for a slip.
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-bitwise-instead-of-logical>"
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TANDEM_WARNINGS_AS_ERRORS}>>:-Werror>)
  if(TANDEM_SANITIZE)
    tandem_sanitize(${target} ${TANDEM_SANITIZE})
  endif()
  if(TANDEM_BUILD_FUZZERS)
    # The fuzzers steer by the branches that the library takes.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# tandem_harden(TARGET): for what is installed. Tables of addresses become read-only when the target
# is loaded, and the program can be loaded anywhere.
function(tandem_harden target)
  if(NOT TANDEM_HARDENING)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${tandem_hardening}>")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
  endif()
endfunction()

# Compile through ccache where it is installed. Kernels go by the files that they depend on alone
# (CCACHE_DEPEND): what nvcc's preprocessor prints leaves out code that only devices see.
if(PROJECT_IS_TOP_LEVEL)
  find_program(TANDEM_CCACHE ccache DOC "Compiler cache; empty to do without")
  if(TANDEM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TANDEM_CCACHE})
  endif()
  if(TANDEM_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 ${TANDEM_CCACHE})
  endif()
endif()

# tandem_cuda_options(TARGET): the numeric contract on both sides of nvcc: nothing is fused unless
# the source says so. CMake 3.25 does not know nvcc's C++20, hence -std.
function(tandem_cuda_options target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20
    -fmad=false -Xcompiler=-ffp-contract=off --expt-relaxed-constexpr>)
endfunction()

# Looks for nvcc once; sets TANDEM_HAS_CUDA.
set(TANDEM_HAS_CUDA OFF)
if(NOT TANDEM_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  # CMake itself takes them from the environment's CUDAARCHS, where that is set.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    # Machine code for Hopper, and code that the driver translates for any device since Turing.
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(TANDEM_HAS_CUDA ON)
  elseif(TANDEM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TANDEM_CUDA is ON, but no CUDA compiler was found")
  else()
    message(STATUS "tandem: no nvcc, so the CUDA parts are left out")
  endif()
endif()
