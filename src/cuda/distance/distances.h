// Distances of models that are in the memory of a device for waves.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/distance/question.h"
#include "gpu/waves/memory.h"
#include "gpu/waves/models.h"

namespace tandem::cuda {

/// Holds the memory for queries; the models are somebody else's.
class Distances {
 public:
  /// Candidates may take so many bytes.
  Distances(const detail::WaveModels& models, detail::WaveWay way, std::size_t most_bytes);
  ~Distances();
  Distances(const Distances&) = delete;
  Distances& operator=(const Distances&) = delete;

  /// The queries are in the memory of the device, and so is what they ask for. Waits for it.
  void run(const BatchQuery* queries, std::uint32_t count, const detail::DistanceQuestion& question,
           const Place& place);
  /// The distances of such queries, in the memory of the host, as it would find them for models
  /// that have triangles.
  std::vector<DistanceResult> find(const BatchQuery* queries, std::uint32_t count, double limit,
                                   const Place& place);

  std::size_t bytes() const;

 private:
  void share_points(const BatchQuery* queries, std::vector<DistanceResult>& results,
                    const Place& place) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
