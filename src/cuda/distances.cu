#include "cuda/distances.h"

#include "cuda/on_distances.h"

namespace tandem::cuda {

struct Distances::State {
  detail::DistanceSearch<OnDistances> search;
  RepeatedLaunches repeated = {};
};

Distances::Distances(const detail::WaveModels& models, const detail::WaveShape& shape,
                     detail::WaveWay way, std::size_t most_bytes)
    : state_(new State{
          detail::DistanceSearch<OnDistances>(models, shape, {.most_bytes = most_bytes}, way)}) {}
Distances::~Distances() = default;

void Distances::run(const BatchQuery* queries, std::uint32_t count,
                    const detail::DistanceQuestion& question, const Place& place) {
  OnDistances on(place, state_->repeated);
  state_->search.run(on, queries, count, question);
}

void Distances::place_touching(const BatchQuery* queries, const std::uint32_t* which,
                               std::uint32_t count, Triangle* triangles, const Place& place) const {
  OnDistances on(place, state_->repeated);
  state_->search.place_touching(on, queries, which, count, triangles);
}

std::size_t Distances::bytes() const {
  return state_->search.bytes();
}

}  // namespace tandem::cuda
