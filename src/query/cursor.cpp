#include <tandem/cursor.h>
#include <tandem/error.h>

#include <algorithm>
#include <optional>
#include <string>

#include "query/dispatch.h"
#include "query/leaf_pair.h"
#include "query/model_data.h"
#include "traverse/observer.h"
#include "traverse/walk.h"

namespace tandem {

static_assert(sizeof(StacklessState) <= 16 && std::is_trivially_copyable_v<StacklessState>);
static_assert(sizeof(TrailState) <= 32 && std::is_trivially_copyable_v<TrailState>);

namespace {

constexpr CursorKind kind_of(const StacklessState&) {
  return CursorKind::stackless;
}
constexpr CursorKind kind_of(const TrailState&) {
  return CursorKind::trail;
}

bool fits(const StacklessState& state, std::uint32_t nodes_a, std::uint32_t nodes_b) {
  switch (state.phase) {
    case StacklessPhase::together:
      return state.a < nodes_a && state.b < nodes_b;
    case StacklessPhase::below_a:
      return state.a < nodes_a && state.b < nodes_b && state.anchor < nodes_a;
    case StacklessPhase::below_b:
      return state.a < nodes_a && state.b < nodes_b && state.anchor < nodes_b;
    case StacklessPhase::finished:
      return true;
  }
  return false;
}

bool fits(const TrailState& state, std::uint32_t nodes_a, std::uint32_t nodes_b) {
  return state.finished() || (state.a < nodes_a && state.b < nodes_b);
}

void finish(StacklessState& state) {
  state.phase = StacklessPhase::finished;
}
void finish(TrailState& state) {
  state.a = TrailState::k_finished;
}

}  // namespace

/// What stays the same from call to call.
template <class State>
class BasicCursor<State>::Query {
 public:
  Query(const Model& a, const Model& b, const Pose& b_in_a, Algorithm algorithm)
      : a_(a),
        b_(b),
        b_in_a_(b_in_a),
        algorithm_(algorithm),
        overlap_(detail::overlap_for(a.data().tree(), b.data().tree(), b_in_a)) {}

  AdvanceResult advance(State& state, std::uint64_t budget, PairSink sink) const {
    detail::NullObserver observer;
    detail::LeafPair leaf_pair(a_.mesh(), b_.mesh(), b_in_a_, sink, observer);
    std::uint64_t left = budget;
    const auto proceed = [&](auto walk, const auto& tree_a, const auto& tree_b) {
      const Flow flow = std::visit(
          [&](const auto& overlap) {
            return detail::advance(walk, tree_a, tree_b, overlap, leaf_pair, observer, left);
          },
          overlap_);
      state = walk.state();
      return flow;
    };
    const Flow flow = detail::with_walk(algorithm_, a_.data(), b_.data(), state, proceed);
    return {state.finished(), flow == Flow::stop, budget - left};
  }

 private:
  Model a_;
  Model b_;
  Pose b_in_a_;
  Algorithm algorithm_;
  detail::AnyOverlap overlap_;
};

template <class State>
BasicCursor<State>::BasicCursor(const Model& a, const Model& b, const Pose& b_in_a,
                                Algorithm algorithm, const State& state)
    : state_(state) {
  const auto info = std::find_if(algorithms().begin(), algorithms().end(),
                                 [&](const auto& i) { return i.algorithm == algorithm; });
  if (info == algorithms().end() || info->cursor != kind_of(state)) {
    throw Error("this kind of cursor does not work with the algorithm " +
                (info == algorithms().end() ? "given" : std::string(info->name)));
  }
  if (a.mesh().empty() || b.mesh().empty()) {
    finish(state_);
    return;
  }
  if (!fits(state, a.data().tree().node_count(), b.data().tree().node_count())) {
    throw Error("the state of the cursor does not belong to these models");
  }
  query_ = std::make_shared<const Query>(a, b, b_in_a, algorithm);
}

template <class State>
BasicCursor<State>::~BasicCursor() = default;
template <class State>
BasicCursor<State>::BasicCursor(const BasicCursor& other) = default;
template <class State>
BasicCursor<State>& BasicCursor<State>::operator=(const BasicCursor& other) = default;

template <class State>
AdvanceResult BasicCursor<State>::advance(std::uint64_t budget, PairSink sink) {
  if (state_.finished()) return {.finished = true};
  return query_->advance(state_, budget, sink);
}

template class BasicCursor<StacklessState>;
template class BasicCursor<TrailState>;

}  // namespace tandem
