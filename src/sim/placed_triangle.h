// The triangles of two close bodies in one frame, each placed once.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <bit>
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

/// What is asked about a triangle again and again.
struct PlacedTriangle {
  Triangle corners;
  /// Twice the area along the normal; the normal of length 1, zero where there is no area.
  Vec3d area;
  Vec3d normal;
  Vec3d lower;
  Vec3d upper;
  std::uint32_t id = 0;
  OwnFeatures own;

  explicit PlacedTriangle(const Triangle& t)
      : corners(t),
        area(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0])),
        lower(min(t.corner[0], min(t.corner[1], t.corner[2]))),
        upper(max(t.corner[0], max(t.corner[1], t.corner[2]))) {
    const double size = length(area);
    normal = size > 0 ? area / size : Vec3d(0, 0, 0);
  }

  const Vec3d& corner(int k) const { return corners.corner[k]; }
  Vec3d edge(int k) const { return corner((k + 1) % 3) - corner(k); }
  bool has_area() const { return normal != Vec3d(0, 0, 0); }
};

/// Some numbers, and the place of each among them in their order. Made in O(n + m / 64) of n
/// numbers from a range of m.
class IdSet {
 public:
  /// Some may be there more than once.
  explicit IdSet(std::span<const std::uint32_t> ids) {
    if (ids.empty()) return;
    const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
    first_ = *least;
    words_.resize((*most - first_) / k_bits + 1);
    for (const std::uint32_t id : ids) {
      words_[(id - first_) / k_bits].bits |= std::uint64_t{1} << (id - first_) % k_bits;
    }
    for (Word& word : words_) {
      word.before = size_;
      size_ += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
  }

  std::size_t size() const { return size_; }
  /// Of one that is there.
  std::size_t place_of(std::uint32_t id) const {
    const Word& word = words_[(id - first_) / k_bits];
    const std::uint64_t lower = (std::uint64_t{1} << (id - first_) % k_bits) - 1;
    return word.before + static_cast<std::size_t>(std::popcount(word.bits & lower));
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
  /// `place` takes points of the mesh to the frame. `ids` may name triangles more than once.
  template <class Place>
  PlacedTriangles(const NearMesh& mesh, std::span<const std::uint32_t> ids, const Place& place)
      : ids_(ids) {
    triangles_.reserve(ids_.size());
    ids_.for_each([&](std::uint32_t id) {
      const TriangleF from = mesh.model.mesh().triangle(id);
      Triangle corners;
      for (int k = 0; k < 3; ++k) corners.corner[k] = place(Vec3d(from.corner[k]));
      PlacedTriangle& placed = triangles_.emplace_back(corners);
      placed.id = id;
      placed.own = mesh.features.own(id);
    });
  }

  /// One of those that were named.
  const PlacedTriangle& operator[](std::uint32_t id) const { return triangles_[ids_.place_of(id)]; }

 private:
  IdSet ids_;
  std::vector<PlacedTriangle> triangles_;
};

}  // namespace tandem::sim
