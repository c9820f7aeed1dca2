#include "arrays.h"

#include <tandem/error.h>

#include <optional>
#include <utility>

namespace tandem::python {
namespace {

/// The value as an array of numbers of whichever kind.
py::array to_numbers(py::handle value, const char* argument, const char* kinds,
                     const char* wanted) {
  const py::array array = py::array::ensure(value);
  if (!array) {
    throw Error(std::string(argument) + " is no array of " + wanted + ", but a " +
                type_name(value));
  }
  // An empty list is an array of float64.
  if (array.size() > 0 && std::string(kinds).find(array.dtype().kind()) == std::string::npos) {
    throw Error(std::string(argument) + " has the dtype " +
                py::str(array.dtype()).cast<std::string>() + ", but must have " + wanted);
  }
  return array;
}

template <class T>
Array<T> to_reals(py::handle value, const char* argument) {
  if (is_read_in_place<T>(value)) return py::reinterpret_borrow<Array<T>>(value);
  const py::array array = to_numbers(value, argument, "fiu", "numbers");
  auto converted = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!converted) throw py::error_already_set();
  // An array whose only fault is its alignment passes as it is.
  if (is_read_in_place<T>(converted)) return py::reinterpret_borrow<Array<T>>(converted);
  return py::reinterpret_steal<Array<T>>(converted.attr("copy")().release());
}

/// Ids from integers, which all fit into the wide type.
template <class Wide>
void copy_ids(const py::array& array, const char* argument, std::uint32_t* to) {
  const auto wide = py::array_t<Wide, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!wide) throw py::error_already_set();
  const Wide* from = wide.data();
  for (py::ssize_t i = 0; i < wide.size(); ++i) {
    if (!std::in_range<std::uint32_t>(from[i])) {
      throw Error(std::string(argument) + " has the entry " + std::to_string(from[i]) +
                  ", which is no id: ids are from 0 to 4294967295");
    }
    to[i] = static_cast<std::uint32_t>(from[i]);
  }
}

}  // namespace

Array<float> to_floats(py::handle value, const char* argument) {
  return to_reals<float>(value, argument);
}

Array<double> to_doubles(py::handle value, const char* argument) {
  return to_reals<double>(value, argument);
}

Array<std::uint32_t> to_ids(py::handle value, const char* argument) {
  if (is_read_in_place<std::uint32_t>(value)) {
    return py::reinterpret_borrow<Array<std::uint32_t>>(value);
  }
  const py::array array = to_numbers(value, argument, "iu", "integers");
  Array<std::uint32_t> ids(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()));
  if (array.dtype().kind() == 'u') {
    copy_ids<std::uint64_t>(array, argument, ids.mutable_data());
  } else {
    copy_ids<std::int64_t>(array, argument, ids.mutable_data());
  }
  return ids;
}

std::string shape_of(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

void fail_shape(const py::array& array, const char* argument, const char* wanted) {
  throw Error(std::string(argument) + " has the shape " + shape_of(array) + ", but must have " +
              wanted);
}

std::size_t row_count(const py::array& array, py::ssize_t columns, const char* argument) {
  if (array.ndim() == 1 && array.size() == 0) return 0;
  if (array.ndim() != 2 || array.shape(1) != columns) {
    fail_shape(array, argument, ("(n, " + std::to_string(columns) + ")").c_str());
  }
  return static_cast<std::size_t>(array.shape(0));
}

std::size_t entry_count(const py::array& array, const char* argument) {
  if (array.ndim() != 1) fail_shape(array, argument, "(n,)");
  return static_cast<std::size_t>(array.shape(0));
}

std::span<const Vec3d> as_points(const Array<double>& array, const char* argument) {
  return {reinterpret_cast<const Vec3d*>(array.data()), row_count(array, 3, argument)};
}

std::span<const TrianglePair> as_pairs(const Array<std::uint32_t>& array, const char* argument) {
  return {reinterpret_cast<const TrianglePair*>(array.data()), row_count(array, 2, argument)};
}

Vec3d to_vec3(py::handle value, const char* argument) {
  const Array<double> array = to_doubles(value, argument);
  if (array.ndim() != 1 || array.shape(0) != 3) fail_shape(array, argument, "(3,)");
  return {array.data()[0], array.data()[1], array.data()[2]};
}

TrianglePair to_pair(py::handle value, const char* argument) {
  const Array<std::uint32_t> array = to_ids(value, argument);
  if (array.ndim() != 1 || array.shape(0) != 2) fail_shape(array, argument, "(2,)");
  return {array.data()[0], array.data()[1]};
}

py::array_t<double> from_vec3(const Vec3d& v) {
  py::array_t<double> array(3);
  double* to = array.mutable_data();
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  return array;
}

py::tuple from_pair(TrianglePair pair) {
  return py::make_tuple(pair.a, pair.b);
}

py::object from_optional_pair(const std::optional<TrianglePair>& pair) {
  if (!pair) return py::none();
  return from_pair(*pair);
}

std::shared_ptr<const void> keep(py::object object) {
  return {object.release().ptr(), [](const void* kept) {
            if (!Py_IsInitialized()) return;
            const Locked lock;
            Py_DECREF(const_cast<PyObject*>(static_cast<const PyObject*>(kept)));
          }};
}

py::array array_over(const py::dtype& dtype, std::vector<py::ssize_t> shape, const void* data,
                     py::handle owner) {
  return py::array(dtype, std::move(shape), data, owner);
}

py::dtype make_dtype(std::initializer_list<Field> fields, std::size_t size) {
  py::list names;
  py::list formats;
  py::list offsets;
  for (const Field& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
}

}  // namespace tandem::python
