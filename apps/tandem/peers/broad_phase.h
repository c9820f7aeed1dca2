// The broad phases of other libraries: boxes that move, and which of them overlap.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tandem::cli {

class BroadPhase {
 public:
  virtual ~BroadPhase() = default;
  BroadPhase() = default;
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Where all boxes are now: as many as it was made with.
  virtual void move(std::span<const Bounds> boxes) = 0;

  /// How many pairs of boxes overlap; each is found once.
  virtual std::size_t count_pairs() = 0;
};

struct BroadPhaseInfo {
  std::string_view name;
  std::unique_ptr<BroadPhase> (*make)(std::span<const Bounds> boxes);
};

/// Those of the libraries in this build.
std::span<const BroadPhaseInfo> broad_phases();

// Each is defined beside the peer of its library.
std::unique_ptr<BroadPhase> make_fcl_broad_phase(std::span<const Bounds> boxes);
std::unique_ptr<BroadPhase> make_bullet_broad_phase(std::span<const Bounds> boxes);

}  // namespace tandem::cli
