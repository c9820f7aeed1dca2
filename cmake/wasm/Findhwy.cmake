# Highway's headers, without its library, which single targets do not need, and without the headers
# beside it, which are of another machine: hwy::hwy sees them through a link in the build.
find_path(HWY_HEADERS hwy/highway.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(hwy REQUIRED_VARS HWY_HEADERS)
if(hwy_FOUND AND NOT TARGET hwy::hwy)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/highway)
  file(CREATE_LINK ${HWY_HEADERS}/hwy ${PROJECT_BINARY_DIR}/highway/hwy SYMBOLIC)
  add_library(hwy::hwy INTERFACE IMPORTED GLOBAL)
  set_target_properties(hwy::hwy PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/highway)
endif()
