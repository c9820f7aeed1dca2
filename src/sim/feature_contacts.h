// Contacts where bodies are close and do not touch.
#pragma once

#include <tandem/contact.h>
#include <tandem/pose.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/pair_clues.h"
#include "sim/placed_triangle.h"

namespace tandem::sim {

/// Two bodies that are close, and some of their triangles in the frame of A.
struct NearBodies {
  const NearMesh& a;
  const NearMesh& b;
  const Pose& b_in_a;
  double margin;
};

/// The corners and edges of triangles, by number, sorted.
class FeatureNumbers {
 public:
  void clear() {
    corners_.clear();
    edges_.clear();
  }
  void add_triangle(const SurfaceFeatures& features, std::uint32_t triangle) {
    const auto& corners = features.corners(triangle);
    const auto& edges = features.edges(triangle);
    corners_.insert(corners_.end(), corners.begin(), corners.end());
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }
  void add_corner(std::uint32_t number) { corners_.push_back(number); }
  void add_edge(std::uint32_t number) { edges_.push_back(number); }
  /// Before anything is asked.
  void sort() {
    std::sort(corners_.begin(), corners_.end());
    std::sort(edges_.begin(), edges_.end());
  }

  bool has_corner(std::uint32_t number) const {
    return std::binary_search(corners_.begin(), corners_.end(), number);
  }
  bool has_edge(std::uint32_t number) const {
    return std::binary_search(edges_.begin(), edges_.end(), number);
  }
  /// Whether any corner or edge of a triangle is there.
  bool has_any_of(const SurfaceFeatures& features, std::uint32_t triangle) const {
    const auto& corners = features.corners(triangle);
    const auto& edges = features.edges(triangle);
    return std::any_of(corners.begin(), corners.end(),
                       [&](std::uint32_t number) { return has_corner(number); }) ||
           std::any_of(edges.begin(), edges.end(),
                       [&](std::uint32_t number) { return has_edge(number); });
  }

 private:
  std::vector<std::uint32_t> corners_;
  std::vector<std::uint32_t> edges_;
};

/// The contacts of peaks and ridges of two bodies.
///
/// Where a peak or ridge of the one is closest to a front, a peak or a ridge of the other, not
/// farther away than the margin, and no surface beside them is closer, there is a contact. Two
/// faces that lie flat over each other are closest everywhere, and a body that rests on one point
/// tips over. So where faces are about parallel, a corner over the other one counts and edges that
/// cross do, even where others are a little closer. What is behind a front is no gap.
///
/// But where triangles cross, their corners may be behind the front of the other body, and their
/// edges below an edge of it. Such a peak or ridge has a contact that says how deep it is, if that
/// is no more than the margin: the way out over the closest front that it points at.
class FeatureContacts {
 public:
  /// Before anything else; what is known of others is forgotten, and its memory used again.
  void begin(const NearBodies& bodies);
  /// Triangles that cross one of the other body: each once, before any pair is looked at.
  void add_crossing_of_a(std::uint32_t triangle) {
    crossed_a_.add_triangle(bodies().a.features, triangle);
  }
  void add_crossing_of_b(std::uint32_t triangle) {
    crossed_b_.add_triangle(bodies().b.features, triangle);
  }
  /// The peaks and ridges that belong to two triangles, as far as the clues leave them.
  void look_at(const PlacedTriangle& a, const PlacedTriangle& b, const PairClues& clues);

  /// Adds all of them to a list. What is inside is known from then on.
  void add_to(std::vector<Contact>* contacts);
  /// Whether a peak or ridge of one of two triangles that cross says how deep they are.
  bool explains(TrianglePair pair) const {
    return inside_a_.has_any_of(bodies().a.features, pair.a) ||
           inside_b_.has_any_of(bodies().b.features, pair.b);
  }

 private:
  class Features;

  /// A contact of a corner of A or of B that is inside the other body.
  struct InsideCorner {
    bool is_of_a;
    std::uint32_t corner;
    Contact contact;
  };

  const NearBodies& bodies() const { return *bodies_; }

  std::optional<NearBodies> bodies_;
  bool is_sorted_ = false;
  FeatureNumbers crossed_a_;
  FeatureNumbers crossed_b_;
  FeatureNumbers inside_a_;
  FeatureNumbers inside_b_;
  std::vector<InsideCorner> inside_corners_;
  std::vector<Contact> contacts_;
};

/// Whether one of two triangles that touch has no corner behind the other, to rounding: then the
/// contacts of peaks and ridges are all that is needed.
bool is_shallow(const PlacedTriangle& a, const PlacedTriangle& b, double margin);

}  // namespace tandem::sim
