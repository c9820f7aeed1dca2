// What the functions of the module share. JavaScript calls them with numbers and addresses; what
// is longer than a number they leave in two arrays, until the next call.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/triangle.h>
#include <tandem/vec.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Marks a function that JavaScript calls by its name.
#define TANDEM_JS(name) extern "C" __attribute__((export_name(#name)))

namespace tandem::js {

/// What the last call left behind.
struct Results {
  std::vector<std::uint32_t> numbers;
  std::vector<double> reals;

  void clear() {
    numbers.clear();
    reals.clear();
  }
  void add(const Vec3d& v) { reals.insert(reals.end(), {v.x, v.y, v.z}); }
};
inline Results results;

/// Nine entries of the rotation, row by row, then the translation. Checked as every pose is.
inline Pose pose_at(const double* p) {
  const double rows[16] = {p[0], p[1], p[2], p[9],  p[3], p[4], p[5], p[10],
                           p[6], p[7], p[8], p[11], 0,    0,    0,    1};
  return Pose::from_matrix(rows);
}

/// The same of four numbers of a quaternion, w first, and the translation.
inline Pose quaternion_pose_at(const double* p) {
  return Pose::from_quaternion(p[0], p[1], p[2], p[3], {p[4], p[5], p[6]});
}

/// Leaves what `trace` leaves (web/module/trees.cpp).
void put_trace(const Model& a, const Model& b, const Pose& b_in_a, std::size_t most,
               std::string_view volumes);

/// Leaves the curves in which the pairs touch, moved by a pose: points, and for each curve how many
/// it has and whether it is closed.
void put_curves(const Model& a, const Model& b, const Pose& b_in_a,
                std::span<const TrianglePair> pairs, const Pose& a_in_world);

}  // namespace tandem::js
