#include "support/poses.h"

#include <tandem/error.h>

#include <array>
#include <span>
#include <string>

#include "bind.h"

namespace tandem::python {
namespace {

/// Rows of four; the last of four rows must be 0 0 0 1.
Pose pose_of_rows(const double* rows, py::ssize_t row_count) {
  if (row_count == 4) return Pose::from_matrix(std::span<const double, 16>(rows, 16));
  std::array<double, 9> rotation;
  Vec3d translation;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) rotation[3 * row + column] = rows[4 * row + column];
    translation[row] = rows[4 * row + 3];
  }
  return Pose::from_rotation(rotation, translation);
}

bool holds_matrices(const py::array& array, py::ssize_t rank) {
  return array.ndim() == rank && (array.shape(rank - 2) == 3 || array.shape(rank - 2) == 4) &&
         array.shape(rank - 1) == 4;
}

std::string numbered(const char* argument, std::size_t position) {
  return std::string(argument) + "[" + std::to_string(position) + "]";
}

/// From an array of shape (n, 4, 4) or (n, 3, 4), without the lock.
std::vector<Pose> poses_of_array(const Array<double>& array, const char* argument) {
  const py::ssize_t row_count = array.shape(1);
  const std::size_t count = static_cast<std::size_t>(array.shape(0));
  const double* rows = array.data();
  return unlocked([&] {
    std::vector<Pose> poses;
    poses.reserve(count);
    try {
      for (; poses.size() < count; rows += 4 * row_count) {
        poses.push_back(pose_of_rows(rows, row_count));
      }
    } catch (const Error& error) {
      throw Error(numbered(argument, poses.size()) + ": " + error.what());
    }
    return poses;
  });
}

py::str repr(const Pose& pose) {
  return "Pose(" + py::str(from_pose(pose).attr("tolist")()).cast<std::string>() + ")";
}

}  // namespace

Pose to_pose(PoseLike value, const char* argument) {
  if (value.is_none()) return {};
  if (py::isinstance<Pose>(value.value)) return value.value.cast<const Pose&>();
  const Array<double> array = to_doubles(value.value, argument);
  if (!holds_matrices(array, 2)) fail_shape(array, argument, "(4, 4) or (3, 4)");
  return naming(argument, [&] { return pose_of_rows(array.data(), array.shape(0)); });
}

std::vector<Pose> to_poses(PosesLike value, const char* argument) {
  const bool is_array = py::isinstance<py::array>(value.value);
  if (!is_array && py::isinstance<py::sequence>(value.value) &&
      !py::isinstance<py::str>(value.value)) {
    const auto sequence = py::reinterpret_borrow<py::sequence>(value.value);
    std::vector<Pose> poses;
    poses.reserve(sequence.size());
    for (const py::handle item : sequence) {
      poses.push_back(to_pose({item}, numbered(argument, poses.size()).c_str()));
    }
    return poses;
  }
  const Array<double> array = to_doubles(value.value, argument);
  if (!holds_matrices(array, 3)) fail_shape(array, argument, "(n, 4, 4) or (n, 3, 4)");
  return poses_of_array(array, argument);
}

py::array_t<double> from_pose(const Pose& pose) {
  py::array_t<double> matrix({4, 4});
  double* to = matrix.mutable_data();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) *to++ = pose.rotation(row, column);
    *to++ = pose.translation()[row];
  }
  for (const double last : {0.0, 0.0, 0.0, 1.0}) *to++ = last;
  return matrix;
}

void bind_pose(py::module_& module) {
  py::class_<Pose>(module, "Pose",
                   R"(Where a rigid body stands: point_in_world = rotation @ point + translation.

Made of a matrix of shape (4, 4) or (3, 4); without one it is the identity. Every parameter that
takes a Pose takes such a matrix too. A rotation of which an entry of |R R^T - I| exceeds 1e-6, or
that mirrors, is an Error.

>>> import tandem
>>> pose = tandem.Pose.from_translation([1, 2, 3])
>>> pose.matrix.shape
(4, 4)
>>> (pose * pose).translation
array([2., 4., 6.])
)")
      .def(py::init([](PoseLike matrix) { return to_pose(matrix, "matrix"); }),
           py::arg("matrix") = py::none())
      .def_static(
          "from_translation",
          [](ArrayLike translation) {
            const Vec3d moved = to_vec3(translation.value, "translation");
            return naming("translation", [&] { return Pose::from_translation(moved); });
          },
          py::arg("translation"), "Moves by three numbers, without turning.")
      .def_static(
          "from_axis_angle",
          [](ArrayLike axis, double radians, ArrayLike translation) {
            return Pose::from_axis_angle(to_vec3(axis.value, "axis"), radians,
                                         to_vec3(translation.value, "translation"));
          },
          py::arg("axis"), py::arg("radians"), py::arg("translation") = py::make_tuple(0, 0, 0),
          "Turns around an axis (right-handed, of any length), then moves.")
      .def_static(
          "from_quaternion",
          [](double w, double x, double y, double z, ArrayLike translation) {
            return Pose::from_quaternion(w, x, y, z, to_vec3(translation.value, "translation"));
          },
          py::arg("w"), py::arg("x"), py::arg("y"), py::arg("z"),
          py::arg("translation") = py::make_tuple(0, 0, 0),
          "Turns by the quaternion w + xi + yj + zk of any length, then moves.")
      .def_static(
          "from_rotation",
          [](ArrayLike rows, ArrayLike translation) {
            const Array<double> array = to_doubles(rows.value, "rows");
            if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3) {
              fail_shape(array, "rows", "(3, 3)");
            }
            return Pose::from_rotation(std::span<const double, 9>(array.data(), 9),
                                       to_vec3(translation.value, "translation"));
          },
          py::arg("rows"), py::arg("translation") = py::make_tuple(0, 0, 0),
          "Turns by a matrix of shape (3, 3), then moves.")
      .def_property_readonly("matrix", &from_pose, "float64 of shape (4, 4).")
      .def_property_readonly(
          "rotation",
          [](const Pose& pose) {
            py::array_t<double> rows({3, 3});
            for (int row = 0; row < 3; ++row) {
              for (int column = 0; column < 3; ++column) {
                rows.mutable_at(row, column) = pose.rotation(row, column);
              }
            }
            return rows;
          },
          "float64 of shape (3, 3).")
      .def_property_readonly(
          "translation", [](const Pose& pose) { return from_vec3(pose.translation()); },
          "float64 of shape (3,).")
      .def("inverse", &Pose::inverse, "The inverse motion, with the transposed rotation.")
      .def("is_translation", &Pose::is_translation,
           "Whether the rotation is the identity to the bit.")
      .def("__mul__", [](const Pose& second, const Pose& first) { return second * first; })
      .def("__matmul__", [](const Pose& second, const Pose& first) { return second * first; })
      .def("__repr__", &repr)
      .def(py::pickle([](const Pose& pose) { return py::make_tuple(from_pose(pose)); },
                      [](const py::tuple& state) { return to_pose({state[0]}, "state"); }));

  module.def(
      "relative_pose",
      [](PoseLike a_in_world, PoseLike b_in_world) {
        return relative_pose(to_pose(a_in_world, "a_in_world"), to_pose(b_in_world, "b_in_world"));
      },
      py::arg("a_in_world"), py::arg("b_in_world"),
      R"(The pose of B in A's frame, which queries take, when both are given in the world.

>>> import tandem
>>> tandem.relative_pose(tandem.Pose.from_translation([0, 0, 1]),
...                      tandem.Pose.from_translation([0, 2, 4])).translation
array([0., 2., 3.])
)");
  module.def(
      "transform_points",
      [](PoseLike pose, ArrayLike points) {
        const Pose motion = to_pose(pose, "pose");
        const Array<double> array = to_doubles(points.value, "points");
        const auto from = as_points(array, "points");
        return owning_points(unlocked([&] {
          std::vector<Vec3d> moved;
          moved.reserve(from.size());
          for (const Vec3d& point : from) moved.push_back(transform_point(motion, point));
          return moved;
        }));
      },
      py::arg("pose"), py::arg("points"),
      R"(rotation @ point + translation of points of shape (n, 3), with the bits that queries see.

>>> import tandem
>>> tandem.transform_points(tandem.Pose.from_translation([0, 0, 1]), [[1, 2, 3]])
array([[1., 2., 4.]])
)");
}

}  // namespace tandem::python
