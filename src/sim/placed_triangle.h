// The triangles of two close bodies in one frame, each placed once.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/surface_features.h"

namespace tandem::sim {

/// A mesh whose triangles are close to another one's.
struct NearMesh {
  const Model& model;
  const SurfaceFeatures& features;
};

/// A triangle of a mesh in the frame of both bodies.
struct PlacedTriangle {
  Triangle corners;
  std::uint32_t id = 0;
  OwnFeatures own = {};

  const Vec3d& corner(int k) const { return corners.corner[k]; }
  Vec3d edge(int k) const { return corner((k + 1) % 3) - corner(k); }
  Vec3d lower() const { return min(corner(0), min(corner(1), corner(2))); }
  Vec3d upper() const { return max(corner(0), max(corner(1), corner(2))); }
  /// Twice the area along the normal.
  Vec3d area() const { return cross(edge(0), corner(2) - corner(0)); }
  /// Of length 1; zero where there is no area.
  Vec3d normal() const {
    const Vec3d across = area();
    const double size = length(across);
    return size > 0 ? across / size : Vec3d(0, 0, 0);
  }

  /// Those of its own features that reach into a box.
  void keep_features(const Vec3d& box_lower, const Vec3d& box_upper) {
    // Without branches, which would be guessed wrong half of the time.
    const auto reaches = [&](const Vec3d& low, const Vec3d& high) {
      const Vec3d out = max(low - box_upper, box_lower - high);
      return std::max({out.x, out.y, out.z}) <= 0 ? 1u : 0u;
    };
    unsigned peaks = 0;
    unsigned ridges = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d& from = corner(k);
      const Vec3d& to = corner((k + 1) % 3);
      peaks |= reaches(from, from) << k;
      ridges |= reaches(min(from, to), max(from, to)) << k;
    }
    own.peaks &= static_cast<std::uint8_t>(peaks);
    own.ridges &= static_cast<std::uint8_t>(ridges);
  }
};

/// Some numbers, and the place of each among them in their order. Made in O(n + m / 64) of n
/// numbers from a range of m.
class IdSet {
 public:
  /// Those of one side of pairs, instead of those before.
  void fill(std::span<const TrianglePair> pairs, std::uint32_t TrianglePair::*side) {
    words_.clear();
    size_ = 0;
    if (pairs.empty()) return;
    std::uint32_t last = 0;
    first_ = pairs.front().*side;
    for (const TrianglePair& pair : pairs) {
      first_ = std::min(first_, pair.*side);
      last = std::max(last, pair.*side);
    }
    words_.resize((last - first_) / k_bits + 1);
    for (const TrianglePair& pair : pairs) {
      const std::uint32_t id = pair.*side;
      words_[(id - first_) / k_bits].bits |= std::uint64_t{1} << (id - first_) % k_bits;
    }
    for (Word& word : words_) {
      word.before = size_;
      size_ += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
  }

  std::size_t size() const { return size_; }
  /// Of one that is there.
  std::uint32_t place_of(std::uint32_t id) const {
    const Word& word = words_[(id - first_) / k_bits];
    const std::uint64_t lower = (std::uint64_t{1} << (id - first_) % k_bits) - 1;
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & lower));
  }
  template <class Work>
  void for_each(const Work& work) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i].bits; rest != 0; rest &= rest - 1) {
        work(static_cast<std::uint32_t>(first_ + k_bits * i) +
             static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  static constexpr std::uint32_t k_bits = 64;
  struct Word {
    std::uint64_t bits = 0;
    /// How many there are in the words before.
    std::uint32_t before = 0;
  };

  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
  std::vector<Word> words_;
};

/// Some triangles of a mesh.
class PlacedTriangles {
 public:
  /// Those of one side of pairs, instead of those before, in the same memory. `place` takes points
  /// of the mesh to the frame.
  template <class Place>
  void fill(const NearMesh& mesh, std::span<const TrianglePair> pairs,
            std::uint32_t TrianglePair::*side, const Place& place) {
    ids_.fill(pairs, side);
    lower_ = {INFINITY, INFINITY, INFINITY};
    upper_ = -lower_;
    triangles_.clear();
    triangles_.reserve(ids_.size());
    ids_.for_each([&](std::uint32_t id) {
      const TriangleF from = mesh.model.mesh().triangle(id);
      PlacedTriangle& placed = triangles_.emplace_back();
      for (int k = 0; k < 3; ++k) placed.corners.corner[k] = place(Vec3d(from.corner[k]));
      placed.id = id;
      placed.own = mesh.features.own(id);
      lower_ = min(lower_, placed.lower());
      upper_ = max(upper_, placed.upper());
    });
  }

  /// The box around all of them.
  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  /// Forgets own features that are farther than a distance from a box.
  void drop_features_beyond(double distance, const Vec3d& lower, const Vec3d& upper) {
    const Vec3d reach(distance, distance, distance);
    for (PlacedTriangle& triangle : triangles_)
      triangle.keep_features(lower - reach, upper + reach);
  }

  /// By the order of their ids.
  std::span<const PlacedTriangle> all() const { return triangles_; }
  /// Where one of them is.
  std::uint32_t place_of(std::uint32_t id) const { return ids_.place_of(id); }

 private:
  IdSet ids_;
  std::vector<PlacedTriangle> triangles_;
  Vec3d lower_;
  Vec3d upper_;
};

}  // namespace tandem::sim
