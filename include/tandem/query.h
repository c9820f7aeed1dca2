// Queries: which triangles of one model touch which triangles of another.
#pragma once

#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>
#include <tandem/triangle.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tandem {

/// A triangle of A and a triangle of B that share a point; ids in the order of their meshes.
struct TrianglePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Is shown each pair and answers whether the query goes on.
using PairSink = FunctionRef<Flow(TrianglePair)>;

struct QueryOptions {
  /// For comparing engines (tandem/engine.h). The default is the fastest one.
  Engine engine = {};
  /// Fill in the statistics; a query without them does not pay for them.
  bool statistics = false;
  /// How many threads may share one query for all pairs or their number; 0 stands for as many as
  /// the machine has, and with 1 nothing but the calling thread is used. Sinks are then called by
  /// one thread at a time, but not always by the same one. Only the default engine can share its
  /// work, and only where there is much of it: other queries use the calling thread.
  int threads = 1;
  Progress progress = {};
};

struct StreamResult {
  /// True when the sink ended the query; there may be pairs that it was not shown.
  bool stopped = false;
  Statistics statistics;
};

/// Streams every pair of triangles that share a point into `sink`, each once, in no particular
/// order, until the sink says stop. Touching counts and coplanar overlap counts; the answer is
/// exact for B's vertices as `b_in_a` brings them into A's frame (docs/conventions.md). Uses no
/// memory that grows with the number of pairs. A sink may throw: the exception reaches the caller.
/// Throws `tandem::Error` when the models have no engine of that kind in common.
TANDEM_API StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                                const QueryOptions& options = {});

struct CollideResult {
  /// Sorted by triangle of A, then triangle of B.
  std::vector<TrianglePair> pairs;
  Statistics statistics;
};

/// All pairs, sorted.
TANDEM_API CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                                 const QueryOptions& options = {});

struct IntersectsResult {
  /// One of the pairs, when there is one; which one is not promised.
  std::optional<TrianglePair> pair;
  Statistics statistics;

  explicit operator bool() const { return pair.has_value(); }
};

/// Do the surfaces share a point (for solids: `solid_relation`)? Stops at the first pair found.
TANDEM_API IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                                       const QueryOptions& options = {});

/// What is known of two models that are asked about again and again while they move: the pairs in
/// which they touched lately, one of which often still touches, or how far apart they were, which
/// answers all queries until they have moved that far. The caller keeps one witness for each two
/// models; only one thread may use it at a time.
class Witness {
 public:
  void clear() { *this = {}; }

 private:
  friend IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                                     Witness& witness, const QueryOptions& options);

  std::optional<TrianglePair> find_touching(const Model& a, const Model& b, const Pose& b_in_a,
                                            Statistics& statistics);
  bool is_surely_apart(const Model& a, const Model& b, const Pose& b_in_a,
                       const QueryOptions& options, Statistics& statistics);
  void remember_touching(TrianglePair pair);
  void remember_apart(const Model& a, const Model& b, const Pose& b_in_a);

  static constexpr int k_room = 4;
  /// The latest first.
  TrianglePair pairs_[k_room] = {};
  int count_ = 0;

  /// When the last answer was that the models are apart: which ones, or 0; where B was; and how far
  /// apart they surely were.
  std::uint64_t a_ = 0;
  std::uint64_t b_ = 0;
  Pose b_in_a_ = {};
  double clearance_ = 0;
  /// How many queries there were since.
  std::uint64_t steps_ = 0;
  /// How many queries the next clearance should answer, and how many come before it is looked for.
  int steps_ahead_ = 8;
  int patience_ = 0;
};

/// The same with a witness: whether the models touch does not depend on it; the time and the pair
/// do. It may come from other models or poses: what does not fit is not used. Engines that are
/// named, and triangle tests other than the exact one, use less of it or nothing.
TANDEM_API IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                                       Witness& witness, const QueryOptions& options = {});

struct CountResult {
  std::uint64_t count = 0;
  Statistics statistics;
};

/// The number of pairs, without storing them.
TANDEM_API CountResult count(const Model& a, const Model& b, const Pose& b_in_a,
                             const QueryOptions& options = {});

/// Streams every pair of triangles of one mesh that meet into `sink`, each once and with `a < b`,
/// in no particular order, until the sink says stop. Triangles that have corners in common, as
/// neighbours do, count only when they meet in more than these corners and the edges between them;
/// corners are the same when their positions are, so a soup without shared vertices gives the same
/// pairs (docs/conventions.md has the rule). Exact, and like `collide` without memory that grows
/// with the number of pairs. Throws `tandem::Error` for a triangle test other than the exact one.
TANDEM_API StreamResult self_collide(const Model& model, PairSink sink,
                                     const QueryOptions& options = {});

/// All of them, sorted.
TANDEM_API CollideResult self_collide(const Model& model, const QueryOptions& options = {});

/// Does the mesh meet itself? Stops at the first pair found; which one is not promised.
TANDEM_API IntersectsResult self_intersects(const Model& model, const QueryOptions& options = {});

/// The number of these pairs, without storing them.
TANDEM_API CountResult self_count(const Model& model, const QueryOptions& options = {});

/// What the triangles of a pair share, in A's frame. Throws `tandem::Error` for an id that does not
/// exist.
TANDEM_API TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                             TrianglePair pair);

/// Part of where two surfaces meet: points one after another, none of them twice in a row.
struct ContactCurve {
  std::vector<Vec3d> points;
  /// The last point is followed by the first.
  bool closed = false;
};

/// What all these pairs share, joined into curves, in A's frame: where surfaces cross, the curve in
/// which they do; where they lie on each other, the outline of the common area; where they touch in
/// a point, a curve of one point. Ends of segments count as one where they are equal up to some
/// 1e-11 of the largest coordinate. Curves end where three or more meet. Throws `tandem::Error` for
/// an id that does not exist.
TANDEM_API std::vector<ContactCurve> contact_curves(const Model& a, const Model& b,
                                                    const Pose& b_in_a,
                                                    std::span<const TrianglePair> pairs);

}  // namespace tandem
