# What `cmake --install` puts where: the library with its headers, the package that
# find_package(tandem) and pkg-config find, the licence. (The program's own folder installs it.) The
# files refer to each other by relative paths, so an installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library and its headers.
install(TARGETS tandem tandem_sim EXPORT tandem-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(left_out "")
if(NOT TARGET tandem_cuda)
  set(left_out PATTERN cuda EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tandem
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" ${left_out})

# A static library's users link what it links; a shared one's do not.
get_target_property(tandem_type tandem TYPE)
get_target_property(tandem_links tandem LINK_LIBRARIES)
set(tandem_users_link_hwy OFF)
set(tandem_users_link_tbb OFF)
set(tandem_users_link_simdjson OFF)
set(pkgconfig_requires "")
if(tandem_type STREQUAL "STATIC_LIBRARY")
  set(tandem_users_link_hwy ON)
  list(APPEND pkgconfig_requires libhwy)
  if("TBB::tbb" IN_LIST tandem_links)
    set(tandem_users_link_tbb ON)
    list(APPEND pkgconfig_requires tbb)
  endif()
  if("simdjson::simdjson" IN_LIST tandem_links)
    set(tandem_users_link_simdjson ON)
    list(APPEND pkgconfig_requires simdjson)
  endif()
endif()
list(JOIN pkgconfig_requires " " pkgconfig_requires)

# find_package(tandem). Before 1.0 each minor version may change the interface.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tandem)
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tandem-config.cmake.in
  ${PROJECT_BINARY_DIR}/tandem-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tandem-config-version.cmake
  COMPATIBILITY ${compatibility})
install(EXPORT tandem-targets NAMESPACE tandem:: DESTINATION ${package_dir})
# The component cuda.
if(TARGET tandem_cuda)
  install(TARGETS tandem_cuda EXPORT tandem-cuda-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT tandem-cuda-targets NAMESPACE tandem:: DESTINATION ${package_dir})
endif()
install(FILES ${PROJECT_BINARY_DIR}/tandem-config.cmake
  ${PROJECT_BINARY_DIR}/tandem-config-version.cmake DESTINATION ${package_dir})

# pkg-config.
file(RELATIVE_PATH pkgconfig_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pkgconfig_to_prefix "${pkgconfig_to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/tandem.pc.in ${PROJECT_BINARY_DIR}/tandem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tandem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
