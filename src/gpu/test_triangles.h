// The kernel that tests pairs of triangles exactly.
#pragma once

#include <cstdint>

#include "geometry/triangle_test.h"
#include "gpu/kernel.h"
#include "math/transform.h"

namespace tandem::detail {

/// One thread per pair.
struct TestTriangles {
  using Shared = NothingShared;

  const Triangle* a;
  const Triangle* b;
  std::uint8_t* answers;
  std::uint32_t count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < count) answers[i] = test_triangles(flushed(a[i]), flushed(b[i])).intersects ? 1 : 0;
  }

 private:
  TANDEM_HD static Triangle flushed(const Triangle& t) {
    return {flush_tiny(t.corner[0]), flush_tiny(t.corner[1]), flush_tiny(t.corner[2])};
  }
};

}  // namespace tandem::detail
