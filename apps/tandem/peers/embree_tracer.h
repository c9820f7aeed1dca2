// Embree's rays and point queries, to compare with Tandem's, in builds of the program that have
// Embree.
#pragma once

#include <tandem/closest.h>
#include <tandem/mesh.h>
#include <tandem/ray.h>

#include <memory>
#include <span>

namespace tandem::cli {

/// Whether this build of the program has Embree.
bool has_embree();

enum class EmbreeMode { standard, robust };

/// A scene of medium build quality.
class EmbreeTracer {
 public:
  /// Up to so many threads build, 0 for all cores. Throws `tandem::Error` without Embree.
  EmbreeTracer(const Mesh& mesh, EmbreeMode mode, int threads = 1);
  ~EmbreeTracer();
  EmbreeTracer(const EmbreeTracer&) = delete;
  EmbreeTracer& operator=(const EmbreeTracer&) = delete;

  /// Builds once more, in memory that Embree has kept.
  void build();
  /// One `rtcIntersect1` after the other.
  void closest_hits(std::span<const Ray> rays, std::span<Hit> hits) const;
  /// One `rtcPointQuery` after the other, with a function that computes the closest point of a
  /// triangle in single precision, as Embree's tutorial does.
  void closest_points(std::span<const Vec3d> points, std::span<ClosestPoint> closest) const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace tandem::cli
