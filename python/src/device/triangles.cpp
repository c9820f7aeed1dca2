// The exact triangle test on a device.
#include <tandem/cuda/triangles.h>

#include <cstddef>
#include <string>

#include "../support/arrays.h"
#include "bind.h"
#include "memory.h"

namespace tandem::python {
namespace {

static_assert(sizeof(Triangle) == 72);

/// Triangles of the host, which the array keeps.
std::span<const Triangle> as_triangles(const Array<double>& array, const char* argument) {
  if (array.ndim() != 3 || array.shape(1) != 3 || array.shape(2) != 3) {
    fail_shape(array, argument, "(n, 3, 3)");
  }
  return {reinterpret_cast<const Triangle*>(array.data()),
          static_cast<std::size_t>(array.shape(0))};
}

void check_counts(std::size_t a, std::size_t b) {
  if (a == b) return;
  throw Error("a has " + std::to_string(a) + " triangles, but b has " + std::to_string(b));
}

py::object test_on_device(ArrayLike a, ArrayLike b, ArrayLike out) {
  const DeviceRows rows{{"<f8"}, {3, 3}};
  const DeviceArray of_a(a.value, "a", rows);
  const DeviceArray of_b(b.value, "b", rows);
  check_counts(of_a.size(), of_b.size());
  const DeviceAnswers answers(out.value, {{"|u1", "|b1", "|i1"}}, of_a.size());
  unlocked([&] {
    cuda::intersects(of_a.as<Triangle>(), of_b.as<Triangle>(), answers.as<std::uint8_t>(),
                     of_a.size());
  });
  return py::reinterpret_borrow<py::object>(out.value);
}

py::object test_from_host(ArrayLike a, ArrayLike b, ArrayLike out) {
  if (!out.is_none()) throw Error("out is for triangles in the memory of a device");
  const Array<double> corners_a = to_doubles(a.value, "a");
  const Array<double> corners_b = to_doubles(b.value, "b");
  const auto of_a = as_triangles(corners_a, "a");
  const auto of_b = as_triangles(corners_b, "b");
  check_counts(of_a.size(), of_b.size());
  std::vector<std::uint8_t> answers(of_a.size());
  unlocked([&] { cuda::intersects(of_a, of_b, std::span(answers)); });
  return owning(std::move(answers), py::dtype::of<bool>());
}

}  // namespace

void bind_device_triangles(py::module_& module) {
  module.def(
      "intersects",
      [](ArrayLike a, ArrayLike b, ArrayLike out) {
        return is_on_device(a.value) ? test_on_device(a, b, out) : test_from_host(a, b, out);
      },
      py::arg("a"), py::arg("b"), py::kw_only(), py::arg("out") = py::none(),
      R"(Which triangles of a share a point with that of b in the same row, exactly, as
tandem.intersects: float64 of shape (n, 3, 3) to bool of shape (n,).

In the memory of the device, coordinates are not checked, and out is bool, uint8 or int8 of shape
(n,).)");
}

}  // namespace tandem::python
