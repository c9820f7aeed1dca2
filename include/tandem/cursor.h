// Cursors: queries that can be stopped after a budget, copied, and resumed anywhere.
#pragma once

#include <tandem/query.h>

#include <cstdint>
#include <memory>

namespace tandem {

/// What a stackless traversal is doing: walking both trees together, or, with a leaf of one, the
/// nodes below the anchor in the other.
enum class StacklessPhase : std::uint32_t { together, below_a, below_b, finished };

/// Everything that a stackless traversal remembers: 16 bytes.
struct StacklessState {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t anchor = 0;
  StacklessPhase phase = StacklessPhase::together;

  bool finished() const { return phase == StacklessPhase::finished; }
};

/// Everything that the trail traversal remembers: 24 bytes. Bit i of the trail tells which tree the
/// i-th descent went down.
struct TrailState {
  static constexpr std::uint32_t k_finished = 0xffffffff;

  std::uint64_t trail[2] = {0, 0};
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  bool finished() const { return a == k_finished; }
};

struct AdvanceResult {
  /// All pairs have been shown.
  bool finished = false;
  /// The sink ended this call; the next one goes on behind the pair that it was shown last.
  bool stopped = false;
  /// Pairs of nodes taken up by this call.
  std::uint64_t iterations = 0;
};

/// A query in progress. The cursor refers to the models and the pose; its state is a plain value
/// that can be copied, kept, sent to another thread or machine, and resumed by any cursor made for
/// the same models, pose and algorithm. Whatever the budgets and copies, the pairs shown along one
/// chain of states are those of one `collide`, each once.
template <class State>
class BasicCursor {
 public:
  /// `algorithm` must be one that keeps this kind of state (`AlgorithmInfo::cursor`); throws
  /// `tandem::Error` otherwise, and for a state that does not fit the models.
  BasicCursor(const Model& a, const Model& b, const Pose& b_in_a, Algorithm algorithm,
              const State& state = {});
  ~BasicCursor();
  BasicCursor(const BasicCursor& other);
  BasicCursor& operator=(const BasicCursor& other);

  /// Takes up at most `budget` pairs of nodes and shows the touching triangles among them to
  /// `sink`.
  AdvanceResult advance(std::uint64_t budget, PairSink sink);

  bool finished() const { return state_.finished(); }
  const State& state() const { return state_; }

 private:
  struct Query;
  std::shared_ptr<const Query> query_;
  State state_;
};

/// For `stackless`, `stackless_post` and `scheduled`.
using StacklessCursor = BasicCursor<StacklessState>;
/// For `trail`.
using TrailCursor = BasicCursor<TrailState>;

}  // namespace tandem
