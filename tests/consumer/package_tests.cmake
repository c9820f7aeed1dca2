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

# package_test(NAME FIXTURE option...): configures the consumer with the options, builds and runs it.
function(package_test name fixture)
  set(build_dir ${consumer_dir}/${name})
  add_test(NAME package.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${build_dir}
      --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
      --build-options -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER} ${ARGN}
      --test-command ${build_dir}/consumer)
  set_tests_properties(package.${name} PROPERTIES LABELS package FIXTURES_REQUIRED ${fixture}
    PASS_REGULAR_EXPRESSION ${expected} PROCESSORS 2 TIMEOUT 900)
endfunction()

package_test(find_package package_install -DCMAKE_PREFIX_PATH=${prefix})
# As a shared library, and without any optional package.
package_test(add_subdirectory package_clean -DTANDEM_SOURCES=${PROJECT_SOURCE_DIR}
  -DBUILD_SHARED_LIBS=ON -DTANDEM_GLTF=OFF -DTANDEM_CUDA=OFF)

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
