// The C++ side of overhead.py: the same queries in loops of C++, on models of its own.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <tandem/tandem.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace py = pybind11;

namespace {

using Floats = py::array_t<float, py::array::c_style>;
using Ids = py::array_t<std::uint32_t, py::array::c_style>;
using Doubles = py::array_t<double, py::array::c_style>;

std::vector<tandem::Pose> to_poses(const Doubles& matrices) {
  std::vector<tandem::Pose> poses;
  for (py::ssize_t i = 0; i < matrices.shape(0); ++i) {
    const double* rows = matrices.data() + 16 * i;
    poses.push_back(tandem::Pose::from_matrix(std::span<const double, 16>(rows, 16)));
  }
  return poses;
}

/// Seconds that the function takes.
template <class Function>
double seconds(Function&& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Two models of the same mesh. Each function returns seconds and what was found.
class Loops {
 public:
  Loops(const Floats& vertices, const Ids& triangles)
      : a_(tandem::Mesh::from_arrays(
            {vertices.data(), static_cast<std::size_t>(vertices.size())},
            {triangles.data(), static_cast<std::size_t>(triangles.size())})),
        b_(a_) {}

  py::tuple collide(const Doubles& pose, int repetitions) const {
    return repeat(pose, repetitions,
                  [&](const tandem::Pose& at) { return tandem::collide(a_, b_, at).pairs.size(); });
  }
  py::tuple intersects(const Doubles& pose, int repetitions) const {
    return repeat(pose, repetitions, [&](const tandem::Pose& at) {
      return std::size_t{bool{tandem::intersects(a_, b_, at)}};
    });
  }
  py::tuple count(const Doubles& pose, int repetitions) const {
    return repeat(pose, repetitions, [&](const tandem::Pose& at) {
      return static_cast<std::size_t>(tandem::count(a_, b_, at).count);
    });
  }
  py::tuple distance(const Doubles& pose, int repetitions) const {
    return repeat(pose, repetitions, [&](const tandem::Pose& at) {
      return static_cast<std::size_t>(1e6 * tandem::distance(a_, b_, at).distance);
    });
  }

  /// From matrices to counts, as Python does it.
  py::tuple count_batch(const Doubles& matrices, int threads) const {
    std::vector<std::uint64_t> counts;
    const double time = seconds(
        [&] { counts = tandem::count_batch(a_, b_, to_poses(matrices), {.threads = threads}); });
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return py::make_tuple(time, sum);
  }

 private:
  template <class Query>
  static py::tuple repeat(const Doubles& pose, int repetitions, Query&& query) {
    const tandem::Pose at = tandem::Pose::from_matrix(std::span<const double, 16>(pose.data(), 16));
    std::size_t found = 0;
    const double time = seconds([&] {
      for (int i = 0; i < repetitions; ++i) found += query(at);
    });
    return py::make_tuple(time, found / static_cast<std::size_t>(repetitions));
  }

  tandem::Model a_;
  tandem::Model b_;
};

}  // namespace

PYBIND11_MODULE(tandem_loops, module) {
  py::class_<Loops>(module, "Loops")
      .def(py::init<const Floats&, const Ids&>())
      .def("collide", &Loops::collide)
      .def("intersects", &Loops::intersects)
      .def("count", &Loops::count)
      .def("distance", &Loops::distance)
      .def("count_batch", &Loops::count_batch);
}
