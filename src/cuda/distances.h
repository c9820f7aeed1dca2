// Distances of models that are in the memory of a device for waves.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/distance/search.h"
#include "gpu/waves/memory.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"

namespace tandem::cuda {

/// Holds the memory for queries; the models are somebody else's.
class Distances {
 public:
  /// Candidates may take so many bytes.
  Distances(const detail::WaveModels& models, const detail::WaveShape& shape, detail::WaveWay way,
            std::size_t most_bytes);
  ~Distances();
  Distances(const Distances&) = delete;
  Distances& operator=(const Distances&) = delete;

  /// The queries are in the memory of the device, and so is what they ask for. Waits for it.
  void run(const BatchQuery* queries, std::uint32_t count, const detail::DistanceQuestion& question,
           const Place& place);
  /// The triangles of queries of the last run that touch, A's and B's in turn, in A's frame.
  void place_touching(const BatchQuery* queries, const std::uint32_t* which, std::uint32_t count,
                      Triangle* triangles, const Place& place) const;

  std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
