#include "volume/aabb_overlap.h"

namespace tandem::detail {
namespace {

double largest_coordinate(const Aabb& box) {
  double largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::fmax(
        largest, std::fmax(std::fabs(double{box.lower[axis]}), std::fabs(double{box.upper[axis]})));
  }
  return largest;
}

}  // namespace

OrientedAabbOverlap::OrientedAabbOverlap(const Pose& b_in_a, const Aabb& a_root,
                                         const Aabb& b_root) {
  // How far the rotation is from rigid. The tests on B's axes and on the cross products take the
  // columns for orthonormal; where they are not, the projections of B's half axes are off by at
  // most three times the largest entry of |RᵀR - I|.
  double deviation = 0;
  for (int j = 0; j < 3; ++j) {
    for (int k = j; k < 3; ++k) {
      double product = j == k ? -1 : 0;
      for (int i = 0; i < 3; ++i) product += b_in_a.rotation(i, j) * b_in_a.rotation(i, k);
      deviation = std::fmax(deviation, std::fabs(product));
    }
  }
  const double enlargement = 4 * deviation + 1e-14;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      rotation_[i][j] = b_in_a.rotation(i, j);
      abs_[i][j] = std::fabs(rotation_[i][j]) + enlargement;
    }
    translation_[i] = b_in_a.translation()[i];
  }
  // Centres and moved vertices are sums of at most five terms, none larger than the sum of the
  // magnitudes below, each rounded a few times (2^-53 each); distances add three of those. B's half
  // sides on their own axes are off by `deviation` too. Vertices below 1e-60 are moved to zero.
  double magnitude = largest_coordinate(a_root) + 3 * largest_coordinate(b_root);
  for (double t : translation_) magnitude += std::fabs(t);
  slack_ = magnitude * 64 * 0x1p-53 + 4 * deviation * 3 * largest_coordinate(b_root) + 1e-59;
}

}  // namespace tandem::detail
