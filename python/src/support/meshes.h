// Meshes in and out.
#pragma once

#include <tandem/mesh.h>
#include <tandem/mesh_io.h>

#include <filesystem>
#include <optional>
#include <string>

#include "arguments.h"
#include "arrays.h"

namespace tandem::python {

/// A mesh over arrays of shape (n, 3). What the library reads as it is, is not copied unless the
/// caller wants that: the mesh keeps the arrays and makes them read-only.
Mesh mesh_of_arrays(ArrayLike vertices, ArrayLike triangles, bool copy);

/// Positions of shape (n, 3) for a mesh to keep, by the same rule, and whoever keeps them.
struct KeptPositions {
  std::span<const Vec3f> positions;
  std::shared_ptr<const void> owner;
};
KeptPositions keep_positions(ArrayLike positions, const char* argument, bool copy);

/// From a text, bytes or an object with `__fspath__`.
std::filesystem::path to_path(py::handle value, const char* argument);
bool is_path(py::handle value);

}  // namespace tandem::python

// The parameters of readers behind the file, and what they are called.
#define TANDEM_READ_PARAMETERS \
  std::uint64_t max_bytes, std::size_t max_elements, double scale, PoseLike pose
#define TANDEM_READ_ARGUMENTS                                                                 \
  py::kw_only(), py::arg("max_bytes") = ReadOptions{}.max_bytes, py::arg("max_elements") = 0, \
                 py::arg("scale") = 1.0, py::arg("pose") = py::none()
#define TANDEM_READ_OPTIONS                               \
  ReadOptions {                                           \
    max_bytes, max_elements, scale, to_pose(pose, "pose") \
  }
