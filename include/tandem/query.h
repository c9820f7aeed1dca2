// Queries: which triangles of one model touch which triangles of another.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tandem {

/// A triangle of A and a triangle of B that share a point; ids in the order of their meshes.
struct TrianglePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// How the pairs are found. Each returns the same set.
enum class Algorithm {
  /// For Volume::wide its own traversal, in SIMD lanes; for boxtrees `list_pairs`; for all others
  /// `recursive`.
  automatic,
  /// Every triangle of A against every triangle of B: the reference, O(|A|·|B|).
  brute_force,
  /// Both hierarchies descended together by recursion, the larger volume first.
  recursive,
  /// Each leaf of A against B's hierarchy, along escape indices.
  leaf,
  /// The larger volume first, with a stack of pairs.
  dynamic_stack,
  /// B and A by turns, with a stack of pairs.
  alternating_stack,
  /// B and A by turns, without a stack: the next pair follows from the two nodes.
  stackless,
  /// The same over the post-indexed layout.
  stackless_post,
  /// The larger volume first without a stack: one bit a descent remembers the way.
  trail,
  /// A fixed order of descents chosen from the mean volume of each level, without a stack.
  scheduled,
  /// Both trees descended at once; what concerns B's children alone is done once at their parent.
  one_level_up,
  /// Each node of B once, against a list of nodes of A.
  list,
  /// The same for siblings of B together, or for four grandchildren: each list is read once.
  list_pairs,
  list_fours,
};

/// What a cursor of the algorithm remembers (tandem/cursor.h).
enum class CursorKind { none, stackless, trail };

struct AlgorithmInfo {
  Algorithm algorithm;
  std::string_view name;
  std::string_view description;
  CursorKind cursor;
};
/// All algorithms, with the names that the program uses.
std::span<const AlgorithmInfo> algorithms();

/// Whether the algorithm can query models of that volume. All have `automatic` and `brute_force`, and
/// Volume::wide no others. Boxtrees and Volume::obb_relative have those that go down.
bool works_with(Algorithm algorithm, Volume volume);

/// The counters of the papers' tables. Zero unless a query was asked for them.
struct Statistics {
  /// Pairs of nodes taken up.
  std::uint64_t iterations = 0;
  /// Of those, pairs whose volumes overlapped, and pairs of leaves among them.
  std::uint64_t overlaps = 0;
  std::uint64_t leaf_overlaps = 0;
  /// Volumes of B brought into A's frame.
  std::uint64_t node_transforms = 0;
  /// Of the list traversals: nodes of A taken from a list, and nodes of B visited, each once.
  std::uint64_t aligned_visits = 0;
  std::uint64_t tumbled_visits = 0;
  /// Pairs of triangles tested, and found to touch.
  std::uint64_t triangle_tests = 0;
  std::uint64_t triangle_overlaps = 0;

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// How boxes are tested for overlap under a pose that turns. Volume::aabb and boxtrees have a choice.
enum class Overlap {
  /// Fifteen axes, which is never far from the best; plain intervals where the pose only moves. For
  /// boxtrees six axes.
  automatic,
  /// B's box is replaced by its box along A's axes.
  realigned,
  /// The axes of both boxes.
  six_axes,
  /// All separating axes: those and their cross products.
  fifteen_axes,
  /// Of boxtrees: realigned with products from a table.
  lookup,
};

struct OverlapInfo {
  Overlap overlap;
  std::string_view name;
  std::string_view description;
};
/// All overlap tests, with the names that the program uses.
std::span<const OverlapInfo> overlaps();

/// Whether the test is one for hierarchies of that volume.
bool works_with(Overlap overlap, Volume volume);

/// How two triangles are tested. The papers' own tests are there to reproduce their results: they
/// compute with rounding and decide touching, coplanar and zero-area cases otherwise (docs/volumes.md).
enum class TriangleTest {
  /// Exact, as docs/conventions.md says.
  exact,
  /// Edges against the unit triangle, by a matrix kept for each triangle (collision chip paper).
  unit_triangle,
  /// Separating axes: both normals, the cross products of edges, and in-plane normals.
  separating_axes,
};

struct TriangleTestInfo {
  TriangleTest triangle_test;
  std::string_view name;
  std::string_view description;
};
/// All triangle tests, with the names that the program uses.
std::span<const TriangleTestInfo> triangle_tests();

struct QueryOptions {
  Algorithm algorithm = Algorithm::automatic;
  Overlap overlap = Overlap::automatic;
  TriangleTest triangle_test = TriangleTest::exact;
  /// Fill in the statistics; a query without them does not pay for them.
  bool statistics = false;
  Progress progress = nullptr;
};

/// What a sink says to each pair.
enum class Flow { go_on, stop };

/// A reference to any callable `Flow(TrianglePair)`; the callable must outlive the query.
class PairSink {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, PairSink> &&
           std::is_invocable_r_v<Flow, F&, TrianglePair>)
      PairSink(F&& sink)  // NOLINT(google-explicit-constructor): a sink is passed like its callable
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(sink)))),
        call_([](void* object, TrianglePair pair) -> Flow {
          return (*static_cast<std::remove_reference_t<F>*>(object))(pair);
        }) {}

  Flow operator()(TrianglePair pair) const { return call_(object_, pair); }

 private:
  void* object_;
  Flow (*call_)(void*, TrianglePair);
};

struct StreamResult {
  /// True when the sink ended the query; there may be pairs that it was not shown.
  bool stopped = false;
  Statistics statistics;
};

/// Streams every pair of triangles that share a point into `sink`, each once, in no particular
/// order, until the sink says stop. Touching counts and coplanar overlap counts; the answer is
/// exact for B's vertices as `b_in_a` brings them into A's frame (docs/conventions.md). Takes no
/// memory that grows with the number of pairs. A sink may throw: the exception reaches the caller.
StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options = {});

struct CollideResult {
  /// Sorted by triangle of A, then triangle of B.
  std::vector<TrianglePair> pairs;
  Statistics statistics;
};

/// All pairs, sorted.
CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options = {});

struct IntersectsResult {
  /// One of the pairs, when there is one.
  std::optional<TrianglePair> pair;
  Statistics statistics;

  explicit operator bool() const { return pair.has_value(); }
};

/// Do the models touch? Stops at the first pair found; which one is not promised.
IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options = {});

/// The pairs that made two models touch lately. Where objects move little from query to query, one of
/// them often still does, and is tried first: kept by the caller, one for each two models, used by one
/// thread at a time.
class Witness {
 public:
  void clear() { count_ = 0; }

 private:
  friend IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                                     Witness& witness, const QueryOptions& options);
  void remember(TrianglePair pair);

  static constexpr int k_room = 4;
  /// The latest first.
  TrianglePair pairs_[k_room] = {};
  int count_ = 0;
};

/// The same with a witness: the answer does not depend on it, the time and the pair do. It may come
/// from other models or poses: what does not fit is not used. Triangle tests other than `exact` do
/// without.
IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a, Witness& witness,
                            const QueryOptions& options = {});

struct CountResult {
  std::uint64_t count = 0;
  Statistics statistics;
};

/// The number of pairs, without storing them.
CountResult count(const Model& a, const Model& b, const Pose& b_in_a,
                  const QueryOptions& options = {});

/// What the triangles of a pair share, in A's frame. Throws `tandem::Error` for an id that does not
/// exist.
TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair);

}  // namespace tandem
