// Embree's rays, to compare with Tandem's, in builds of the program that have Embree.
#pragma once

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
  /// Throws `tandem::Error` without Embree.
  EmbreeTracer(const Mesh& mesh, EmbreeMode mode);
  ~EmbreeTracer();
  EmbreeTracer(const EmbreeTracer&) = delete;
  EmbreeTracer& operator=(const EmbreeTracer&) = delete;

  /// One `rtcIntersect1` after the other.
  void closest_hits(std::span<const Ray> rays, std::span<Hit> hits) const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace tandem::cli
