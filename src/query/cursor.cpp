#include <tandem/cursor.h>
#include <tandem/error.h>

#include <algorithm>
#include <string>

#include "query/compatible.h"
#include "query/hierarchy.h"
#include "query/leaf_pair.h"

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

void finish(StacklessState& state) {
  state.phase = StacklessPhase::finished;
}
void finish(TrailState& state) {
  state.a = TrailState::k_finished;
}

}  // namespace

/// What stays the same from call to call.
template <class State>
struct BasicCursor<State>::Query {
  Model a;
  Model b;
  Pose b_in_a;
  Algorithm algorithm;
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
  detail::check_compatible(a, b, algorithm, Overlap::automatic);
  if (!a.hierarchy().can_be_at(b.hierarchy(), algorithm, state)) {
    throw Error("the state of the cursor does not belong to these models");
  }
  query_ = std::make_shared<const Query>(Query{a, b, b_in_a, algorithm});
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
  detail::NullObserver observer;
  detail::LeafPair leaf_pair({query_->a.mesh(), query_->b.mesh(), query_->b_in_a}, sink, observer);
  std::uint64_t left = budget;
  const Flow flow = query_->a.hierarchy().advance(
      query_->b.hierarchy(), {query_->b_in_a, query_->algorithm, Overlap::automatic}, leaf_pair,
      state_, left);
  return {state_.finished(), flow == Flow::stop, budget - left};
}

template class BasicCursor<StacklessState>;
template class BasicCursor<TrailState>;

}  // namespace tandem
