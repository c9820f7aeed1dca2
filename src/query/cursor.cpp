#include <tandem/cursor.h>
#include <tandem/error.h>

#include <string>

#include "engine/tandem_engine.h"
#include "query/find_engine.h"
#include "query/model_access.h"

namespace tandem {

static_assert(sizeof(StacklessState) <= 16 && std::is_trivially_copyable_v<StacklessState>);
static_assert(sizeof(TrailState) <= 32 && std::is_trivially_copyable_v<TrailState>);

namespace {

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
  const detail::TandemEngine& engine;

  detail::TandemQuery for_engine() const {
    return {.a = detail::structures_of(a), .b = detail::structures_of(b), .b_in_a = b_in_a};
  }
};

template <class State>
BasicCursor<State>::BasicCursor(const Model& a, const Model& b, const Pose& b_in_a,
                                Traversal traversal, const State& state)
    : state_(state) {
  if (cursor_kind(traversal) != detail::k_cursor_kind<State>) {
    throw Error("this kind of cursor does not work with the traversal " +
                std::string(traversal.name()));
  }
  const Engine wanted{.traversal = traversal};
  const detail::TandemEngine& engine = detail::find_engine(a, b, b_in_a, wanted);
  if (a.mesh().empty() || b.mesh().empty()) {
    finish(state_);
    return;
  }
  query_ = std::make_shared<const Query>(Query{a, b, b_in_a, engine});
  if (!engine.can_be_at(query_->for_engine(), &state_)) {
    throw Error("the state of the cursor does not belong to these models");
  }
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
  std::uint64_t left = budget;
  const Flow flow = advance_engine(query_->engine, query_->for_engine(), sink, &state_, left);
  return {state_.finished(), flow == Flow::stop, budget - left};
}

template class BasicCursor<StacklessState>;
template class BasicCursor<TrailState>;

}  // namespace tandem
