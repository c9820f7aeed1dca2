// Rays in.
#pragma once

#include <tandem/ray.h>

#include <span>
#include <vector>

#include "arrays.h"

namespace tandem::python {

/// Rays as rows of eight float32 (origin, direction, t_min, t_max), which are read in place, or
/// gathered from origins and directions of shape (n, 3) and bounds that are numbers or of shape
/// (n,).
class Rays {
 public:
  Rays(ArrayLike origins, ArrayLike directions, ArrayLike t_min, ArrayLike t_max);
  Rays(const Rays&) = delete;
  Rays& operator=(const Rays&) = delete;

  std::span<const Ray> all() const { return rays_; }

 private:
  Array<float> kept_;
  std::vector<Ray> gathered_;
  std::span<const Ray> rays_;
};

/// Throws, naming the argument, for bounds that are given beside rays that have their own.
void check_no_bounds(ArrayLike t_min, ArrayLike t_max);

/// One of them.
Ray to_ray(ArrayLike origin, ArrayLike direction, double t_min, double t_max);

py::dtype hit_dtype();

}  // namespace tandem::python
