// Arrays in and out. Arrays that are float32, float64 or uint32 as the library needs them, aligned
// and contiguous in C's order, are read where they are; other numbers are converted. Arrays that
// come out own the memory in which the library left its results.
#pragma once

#include <pybind11/numpy.h>
#include <tandem/mesh.h>
#include <tandem/query.h>
#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"

namespace tandem::python {

template <class T>
using Array = py::array_t<T, py::array::c_style>;

/// Whether the library reads the value where it is.
template <class T>
bool is_read_in_place(py::handle value) {
  return Array<T>::check_(value) && (py::detail::array_proxy(value.ptr())->flags &
                                     py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

/// Numbers of any width become the nearest of the type; all else is an error.
Array<float> to_floats(py::handle value, const char* argument);
Array<double> to_doubles(py::handle value, const char* argument);
/// Ids: integers of any width; negative and larger ones are an error.
Array<std::uint32_t> to_ids(py::handle value, const char* argument);

/// "(5, 2)".
std::string shape_of(const py::array& array);
[[noreturn]] void fail_shape(const py::array& array, const char* argument, const char* wanted);

/// How many rows an array of shape (n, columns) has; an empty list has none.
std::size_t row_count(const py::array& array, py::ssize_t columns, const char* argument);
/// How many entries a flat array has.
std::size_t entry_count(const py::array& array, const char* argument);

/// The rows of an array of float64 of shape (n, 3), which must live as long.
std::span<const Vec3d> as_points(const Array<double>& array, const char* argument);
/// The rows of an array of ids of shape (n, 2).
std::span<const TrianglePair> as_pairs(const Array<std::uint32_t>& array, const char* argument);

/// Three numbers.
Vec3d to_vec3(py::handle value, const char* argument);
/// The ids of a triangle of A and one of B.
TrianglePair to_pair(py::handle value, const char* argument);

py::array_t<double> from_vec3(const Vec3d& v);
py::tuple from_pair(TrianglePair pair);
py::object from_optional_pair(const std::optional<TrianglePair>& pair);

/// Keeps an object of Python for C++, which may let go of it on any thread.
std::shared_ptr<const void> keep(py::object object);

/// An array without elements of its own: it shows those at `data`, which `owner` keeps.
py::array array_over(const py::dtype& dtype, std::vector<py::ssize_t> shape, const void* data,
                     py::handle owner);

/// The object and whoever keeps it, as the base of an array.
template <class T>
py::capsule to_capsule(T object) {
  return py::capsule(new T(std::move(object)),
                     [](void* pointer) { delete static_cast<T*>(pointer); });
}

/// An array that owns the vector's memory: element i has the shape `inner`.
template <class T>
py::array owning(std::vector<T> elements, const py::dtype& dtype,
                 std::vector<py::ssize_t> inner = {}) {
  auto* owner = new std::vector<T>(std::move(elements));
  const py::capsule capsule(owner, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  inner.insert(inner.begin(), static_cast<py::ssize_t>(owner->size()));
  return array_over(dtype, std::move(inner), owner->data(), capsule);
}

/// Of shape (n, 2).
inline py::array owning_pairs(std::vector<TrianglePair> pairs) {
  static_assert(sizeof(TrianglePair) == 8);
  return owning(std::move(pairs), py::dtype::of<std::uint32_t>(), {2});
}

/// Of shape (n, 3).
inline py::array owning_points(std::vector<Vec3d> points) {
  static_assert(sizeof(Vec3d) == 24);
  return owning(std::move(points), py::dtype::of<double>(), {3});
}

/// The type of an element with named fields.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};
py::dtype make_dtype(std::initializer_list<Field> fields, std::size_t size);

}  // namespace tandem::python
