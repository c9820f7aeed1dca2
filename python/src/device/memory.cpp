#include "memory.h"

#include <tandem/error.h>

#include <algorithm>
#include <string>

namespace tandem::python {
namespace {

/// The stream of CUDA that is everyone's unless they choose another one, as the interface names it.
constexpr std::int64_t k_default_stream = 1;

py::dict interface_of(py::handle value, const char* argument) {
  if (!is_on_device(value)) {
    throw Error(std::string(argument) + " is a " + type_name(value) +
                ", but must be in the memory of a CUDA device and have __cuda_array_interface__");
  }
  return value.attr("__cuda_array_interface__");
}

py::object entry(const py::dict& interface, const char* key) {
  return interface.contains(key) ? py::object(interface[key]) : py::none();
}

/// "(n, 3)" or "(n,)".
std::string shape_of(const std::vector<py::ssize_t>& row) {
  std::string text = "(n,";
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += (i == 0 ? " " : ", ") + std::to_string(row[i]);
  }
  return text + ")";
}

void check_type(const std::string& type, const std::string& argument,
                const std::vector<std::string_view>& types) {
  if (std::find(types.begin(), types.end(), type) != types.end()) return;
  std::string wanted;
  for (const std::string_view one : types) {
    wanted += (wanted.empty() ? "" : " or ") + std::string(one);
  }
  throw Error(argument + " has the type " + type + ", but must have " + wanted);
}

std::size_t row_count(const py::tuple& shape, const std::string& argument,
                      const std::vector<py::ssize_t>& row) {
  bool fits = shape.size() == row.size() + 1;
  for (std::size_t i = 0; fits && i < row.size(); ++i) {
    fits = shape[i + 1].cast<py::ssize_t>() == row[i];
  }
  if (!fits) {
    throw Error(argument + " has the shape " + py::str(py::handle(shape)).cast<std::string>() +
                ", but must have " + shape_of(row));
  }
  return shape[0].cast<std::size_t>();
}

/// Whether the elements follow each other in C's order. What has one element along an axis may have
/// any stride there.
bool is_contiguous(const py::tuple& shape, const py::object& strides, py::ssize_t element_bytes) {
  if (strides.is_none()) return true;
  const py::tuple given = strides;
  if (given.size() != shape.size()) return false;
  for (const py::handle length : shape) {
    if (length.cast<py::ssize_t>() == 0) return true;
  }
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto length = shape[i].cast<py::ssize_t>();
    if (length > 1 && given[i].cast<py::ssize_t>() != element_bytes) return false;
    element_bytes *= length;
  }
  return true;
}

void check_stream(const py::object& stream, const std::string& argument) {
  if (stream.is_none() || stream.cast<std::int64_t>() == k_default_stream) return;
  throw Error(argument + " belongs to the stream " +
              py::str(py::handle(stream)).cast<std::string>() +
              ", but tandem.cuda works in CUDA's default stream");
}

bool is_read_only(py::handle value) {
  const py::tuple data = value.attr("__cuda_array_interface__")["data"];
  return data[1].cast<bool>();
}

}  // namespace

bool is_on_device(py::handle value) {
  return py::hasattr(value, "__cuda_array_interface__");
}

DeviceArray::DeviceArray(py::handle value, const char* argument, const DeviceRows& rows) {
  const py::dict interface = interface_of(value, argument);
  const std::string name = argument;
  try {
    const auto type = entry(interface, "typestr").cast<std::string>();
    check_type(type, name, rows.types);
    const py::tuple shape = entry(interface, "shape");
    size_ = row_count(shape, name, rows.row);
    const auto element_bytes = static_cast<py::ssize_t>(std::stoul(type.substr(2)));
    if (!is_contiguous(shape, entry(interface, "strides"), element_bytes)) {
      throw Error(name + " is not contiguous in C's order, and is read where it is");
    }
    if (!entry(interface, "mask").is_none()) throw Error(name + " has a mask");
    check_stream(entry(interface, "stream"), name);
    const py::tuple data = entry(interface, "data");
    const auto address = data[0].cast<std::uintptr_t>();
    if (address % static_cast<std::uintptr_t>(element_bytes) != 0) {
      throw Error(name + " is not aligned to its elements");
    }
    data_ = reinterpret_cast<void*>(address);  // NOLINT: the interface has addresses as integers
  } catch (const py::cast_error&) {
    throw Error(name + " has a malformed __cuda_array_interface__");
  } catch (py::error_already_set&) {
    throw Error(name + " has a malformed __cuda_array_interface__");
  }
}

DeviceAnswers::DeviceAnswers(py::handle value, const DeviceRows& rows, std::size_t count)
    : DeviceArray(value, "out", rows) {
  if (size() != count) {
    throw Error("out has " + std::to_string(size()) + " rows, but there are " +
                std::to_string(count) + " answers");
  }
  if (is_read_only(value)) throw Error("out is read-only");
}

py::dict DeviceIds::array_interface() const {
  if (!answer_.is_latest()) {
    throw Error("what this query has found is there until the next one, which has been asked");
  }
  py::dict interface;
  interface["version"] = 3;
  interface["shape"] = shape();
  interface["typestr"] = "<u4";
  // Not said to be read-only: PyTorch takes no such memory. Nothing of Tandem reads it again.
  interface["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(data_), false);
  interface["strides"] = py::none();
  interface["stream"] = k_default_stream;
  return interface;
}

}  // namespace tandem::python
