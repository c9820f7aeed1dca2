// Cursors: queries that can be stopped after a budget, copied, and resumed anywhere.
#pragma once

#include <tandem/cursor_state.h>
#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>

#include <cstdint>
#include <memory>

namespace tandem {

struct AdvanceResult {
  /// All pairs have been shown.
  bool finished = false;
  /// The sink ended this call; the next one goes on behind the pair that it was shown last.
  bool stopped = false;
  /// Pairs of nodes visited by this call.
  std::uint64_t iterations = 0;
};

/// A query in progress. The cursor refers to the models and the pose; its state is a plain value
/// that can be copied, kept, sent to another thread or machine, and resumed by any cursor made for
/// the same models, pose and traversal. Whatever the budgets and copies, the pairs shown along one
/// chain of states are those of one `collide`, each once.
template <class State>
class BasicCursor {
 public:
  /// `traversal` must be one that keeps this kind of state (`cursor_kind`), and the models' own
  /// structure must have it; throws `tandem::Error` otherwise, and for a state that does not fit
  /// the models.
  TANDEM_API BasicCursor(const Model& a, const Model& b, const Pose& b_in_a, Traversal traversal,
                         const State& state = {});
  TANDEM_API ~BasicCursor();
  TANDEM_API BasicCursor(const BasicCursor& other);
  TANDEM_API BasicCursor& operator=(const BasicCursor& other);

  /// Visits at most `budget` pairs of nodes and shows the touching triangles among them to `sink`.
  TANDEM_API AdvanceResult advance(std::uint64_t budget, PairSink sink);

  bool finished() const { return state_.finished(); }
  const State& state() const { return state_; }

 private:
  struct Query;
  std::shared_ptr<const Query> query_;
  State state_;
};

/// For the traversals stackless, stackless-post and scheduled.
using StacklessCursor = BasicCursor<StacklessState>;
/// For the traversal trail.
using TrailCursor = BasicCursor<TrailState>;

}  // namespace tandem
