# The consumer project, built and run in each way in which Tandem can be used.
set(consumer_dir ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set(prefix ${consumer_dir}/prefix)
set(expected "(^|[^0-9])134 pairs, as brute force finds")

# Each build starts from an empty folder: nothing of an earlier one can help it.
add_test(NAME package.clean COMMAND ${CMAKE_COMMAND} -E rm -rf ${consumer_dir})
set_tests_properties(package.clean PROPERTIES LABELS package FIXTURES_SETUP package_clean)
add_test(NAME package.install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(package.install PROPERTIES LABELS package
  FIXTURES_REQUIRED package_clean FIXTURES_SETUP package_install)

# All of them leave the build type out, as a first attempt does.
set(compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER} -DCMAKE_BUILD_TYPE=)
set(subfolder -DTANDEM_SOURCES=${PROJECT_SOURCE_DIR})

# package_test(NAME FIXTURE option...): configures the consumer with the options, builds and runs it.
function(package_test name fixture)
  set(build_dir ${consumer_dir}/${name})
  add_test(NAME package.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${build_dir}
      --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
      --build-options ${compiler} ${ARGN}
      --test-command ${build_dir}/consumer)
  set_tests_properties(package.${name} PROPERTIES LABELS package FIXTURES_REQUIRED ${fixture}
    PASS_REGULAR_EXPRESSION ${expected} PROCESSORS 2 TIMEOUT 900)
endfunction()
package_test(find_package package_install -DCMAKE_PREFIX_PATH=${prefix})
# With tandem::cuda, in a project that has not enabled CUDA.
if(TARGET tandem_cuda)
  package_test(cuda package_install -DCMAKE_PREFIX_PATH=${prefix} -DCONSUMER_CUDA=ON)
  set_tests_properties(package.cuda PROPERTIES
    PASS_REGULAR_EXPRESSION "as brute force finds.*[0-9]+ CUDA devices")
endif()
# As a shared library, and without any optional package.
package_test(add_subdirectory package_clean ${subfolder} -DBUILD_SHARED_LIBS=ON -DTANDEM_GLTF=OFF)

# What that library shows to others.
add_test(NAME package.exports COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
  -DLIBRARY=${consumer_dir}/add_subdirectory/tandem/src/libtandem.so
  -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/exports.cmake)
set_tests_properties(package.add_subdirectory PROPERTIES FIXTURES_SETUP package_shared)
set_tests_properties(package.exports PROPERTIES LABELS package FIXTURES_REQUIRED package_shared)

# configure_test(NAME EXPECTED option...): configures the consumer, which has to print EXPECTED.
function(configure_test name expected)
  add_test(NAME package.${name} COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR}
    -S ${CMAKE_CURRENT_SOURCE_DIR}/consumer -B ${consumer_dir}/${name} ${compiler} ${subfolder} ${ARGN})
  set_tests_properties(package.${name} PROPERTIES LABELS package FIXTURES_REQUIRED package_clean
    PASS_REGULAR_EXPRESSION ${expected} TIMEOUT 120)
endfunction()
configure_test(no_build_type "Tandem optimises itself")
configure_test(build_type "Tandem is compiled as this project is" -DCMAKE_BUILD_TYPE=Debug)
configure_test(own_flags "Tandem is compiled as this project is" "-DCMAKE_CXX_FLAGS=-g -O1")
configure_test(no_highway "libhwy-dev" -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON)

# By pkg-config alone.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  add_test(NAME package.pkg_config
    COMMAND sh -e -c "${CMAKE_CXX_COMPILER} -std=c++20 ${CMAKE_CURRENT_SOURCE_DIR}/consumer/main.cpp \
      -o ${consumer_dir}/by_pkg_config $(${PKG_CONFIG} --cflags --libs tandem) && \
      ${consumer_dir}/by_pkg_config")
  set_tests_properties(package.pkg_config PROPERTIES LABELS package
    FIXTURES_REQUIRED package_install PASS_REGULAR_EXPRESSION ${expected}
    ENVIRONMENT PKG_CONFIG_PATH=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
elseif(TANDEM_REQUIRE_TEST_PACKAGES)
  message(FATAL_ERROR "tandem: no pkg-config, which a package test needs; "
          "`tools/setup test` installs it")
endif()
