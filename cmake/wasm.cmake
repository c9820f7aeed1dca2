# Toolchain: WebAssembly with clang 19 or newer, the C++ library and the C library of Debian's
# packages libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32 and wasi-libc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(TANDEM_WASM ON)

find_program(TANDEM_WASM_CXX NAMES clang++-19 clang++-20 clang++-21 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER ${TANDEM_WASM_CXX})
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Vectors of 128 bits. Exceptions are not unwound: what is thrown goes to JavaScript, as
# web/module/throw.cpp says.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fignore-exceptions")

# Nothing of the machine that compiles: its headers are not for this target. Highway, which is
# headers alone here, is found by cmake/wasm/Findhwy.cmake.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/wasm)
