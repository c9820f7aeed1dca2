// The exact triangle test on any bytes: every order of corners and triangles gives the answer of
// expansion arithmetic, the filter never contradicts it, and the intersection is empty exactly when
// the answer is no.
#include <tandem/triangle.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "geometry/triangle_test.h"
#include "math/transform.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// Reads coordinates as small integers, floats or doubles; the first byte decides. Small integers
/// make degenerate cases common.
class Coordinates {
 public:
  Coordinates(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {
    mode_ = data_ < end_ ? *data_++ % 3 : 0;
  }

  double next() {
    switch (mode_) {
      case 0:
        return read<std::int8_t>() % 8;
      case 1:
        return in_range(read<float>());
      default:
        return in_range(read<double>());
    }
  }

 private:
  template <class T>
  T read() {
    T value{};
    const std::size_t size = std::min<std::size_t>(sizeof value, end_ - data_);
    std::memcpy(&value, data_, size);
    data_ += size;
    return value;
  }
  static double in_range(double x) {
    return std::fabs(x) <= tandem::detail::k_largest_coordinate ? tandem::detail::flush_tiny(x) : 1;
  }

  const std::uint8_t* data_;
  const std::uint8_t* end_;
  int mode_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tandem::Triangle;
  using tandem::detail::Verdict;
  Coordinates coordinates(data, size);
  Triangle p;
  Triangle q;
  for (Triangle* t : {&p, &q}) {
    for (auto& corner : t->corner) {
      corner = {coordinates.next(), coordinates.next(), coordinates.next()};
    }
  }
  const tandem::detail::ExpansionSigns expansions(p, q);
  const bool answer = tandem::detail::triangles_intersect_exact(expansions);
  constexpr int k_order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : k_order) {
    Triangle turned;
    for (int k = 0; k < 3; ++k) turned.corner[k] = q.corner[order[k]];
    require(tandem::detail::test_triangles(p, turned).intersects == answer);
    require(tandem::detail::test_triangles(turned, p).intersects == answer);
    const Verdict verdict = tandem::detail::filter_triangles(turned, p);
    require(verdict == Verdict::unsure || (verdict == Verdict::intersecting) == answer);
    tandem::detail::TriangleSigns signs(turned, p);
    require(tandem::detail::triangles_intersect_exact(signs) == answer);
  }
  const tandem::TriangleIntersection shared = tandem::intersection(p, q);
  require((shared.count > 0) == answer);
  return 0;
}
