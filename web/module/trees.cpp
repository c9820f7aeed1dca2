// What is inside, for those who want to see it: the volumes of a level of a hierarchy, and the
// steps of a traversal of two.
#include <tandem/error.h>
#include <tandem/model.h>

#include <string>
#include <string_view>

#include "engine/leaf_pair.h"
#include "exports.h"
#include "traverse/observer.h"
#include "traverse/tandem/recursive.h"
#include "volumes.h"

namespace {

using namespace tandem;
using namespace tandem::detail;
using js::results;

/// Calls `use.operator()<Volumes>()` for those of the structure with that name.
template <class First, class... Others, class Use>
void with_volumes(TypeList<First, Others...>, std::string_view name, const Use& use) {
  if (name == First::Structure::k_name) {
    use.template operator()<First>();
  } else if constexpr (sizeof...(Others) > 0) {
    with_volumes(TypeList<Others...>(), name, use);
  } else {
    throw Error("there are no volumes '" + std::string(name) + "' to look at");
  }
}

/// What came of a pair of nodes.
enum class Outcome : std::uint32_t {
  apart,
  overlap,
  leaves_apart,
  triangles_touch,
  /// The volumes are apart, while the boxes around the same triangles overlap.
  apart_unlike_boxes
};

/// Counts what a traversal does, and writes down the first pairs of nodes in the order in which it
/// visits them.
class Recorder : public NullObserver {
 public:
  explicit Recorder(std::size_t most) : most_(most) {}

  void iteration(std::uint32_t a, std::uint32_t b) {
    ++iterations_;
    if (!records()) return;
    results.numbers.insert(results.numbers.end(),
                           {a, b, static_cast<std::uint32_t>(Outcome::apart)});
  }
  void overlap() {
    ++overlaps_;
    set(Outcome::overlap);
  }
  void leaf_overlap() {
    ++leaf_overlaps_;
    set(Outcome::leaves_apart);
  }
  void triangle_overlap() {
    ++triangle_overlaps_;
    set(Outcome::triangles_touch);
  }

  void put_counts() const {
    for (const std::size_t count : {iterations_, overlaps_, leaf_overlaps_, triangle_overlaps_}) {
      results.reals.push_back(static_cast<double>(count));
    }
  }

 private:
  bool records() const { return iterations_ <= most_; }
  void set(Outcome outcome) {
    if (records()) results.numbers.back() = static_cast<std::uint32_t>(outcome);
  }

  std::size_t most_;
  std::size_t iterations_ = 0;
  std::size_t overlaps_ = 0;
  std::size_t leaf_overlaps_ = 0;
  std::size_t triangle_overlaps_ = 0;
};

/// Marks the steps in which the boxes of the same nodes overlap: trees of stored volumes have the
/// shape of the tree of boxes.
template <class V, class Test>
void compare_with_boxes(TypeList<js::StoredVolumes<V, Test>>, const TandemQuery& query) {
  const StoredTrees<Aabb, FifteenAxisAabbOverlap<>> boxes(query);
  for (std::size_t i = 0; i < results.numbers.size(); i += 3) {
    std::uint32_t& outcome = results.numbers[i + 2];
    if (outcome != static_cast<std::uint32_t>(Outcome::apart)) continue;
    const Aabb& b = boxes.lean_b().volume(results.numbers[i + 1]);
    if (boxes.overlap()(boxes.lean_a().volume(results.numbers[i]), boxes.overlap().tumble(b))) {
      outcome = static_cast<std::uint32_t>(Outcome::apart_unlike_boxes);
    }
  }
}
void compare_with_boxes(TypeList<js::BoxtreeVolumes>, const TandemQuery&) {}

template <class Volumes>
void put_trace_of(const Model& a, const Model& b, const Pose& pose, std::size_t most) {
  const TandemQuery query{structures_of(a), structures_of(b), pose};
  const typename Volumes::Structure::template Trees<typename Volumes::Overlap> trees(query);
  Recorder recorder(most);
  const auto go_on = [](TrianglePair) { return Flow::go_on; };
  LeafPair leaf_pair(TriangleTestRequest{a.mesh(), b.mesh(), pose}, go_on, recorder);
  Recursive::run(trees, leaf_pair, recorder);
  recorder.put_counts();
  compare_with_boxes(TypeList<Volumes>(), query);
  const Volumes of_a(a);
  const Volumes of_b(b);
  for (std::size_t i = 0; i < results.numbers.size(); i += 3) {
    of_a.put(results.numbers[i]);
    of_b.put(results.numbers[i + 1]);
  }
}

}  // namespace

/// Leaves the slabs of the volumes of that level, five numbers each, and how many slabs each volume
/// has.
TANDEM_JS(volumes)
void js_volumes(const Model* model, int level, const char* name, std::size_t name_size) {
  results.clear();
  with_volumes(js::AllVolumes(), {name, name_size}, [&]<class Volumes>() {
    if (model->mesh().empty()) return;
    const Volumes volumes(*model);
    volumes.put(0);
    const auto slabs = static_cast<std::uint32_t>(results.reals.size() / js::k_slab_numbers);
    results.clear();
    results.numbers.push_back(slabs);
    volumes.put_level(level);
  });
}

namespace tandem::js {

void put_trace(const Model& a, const Model& b, const Pose& pose, std::size_t most,
               std::string_view name) {
  results.clear();
  with_volumes(AllVolumes(), name, [&]<class Volumes>() {
    if (a.mesh().empty() || b.mesh().empty()) {
      Recorder(0).put_counts();
    } else {
      put_trace_of<Volumes>(a, b, pose, most);
    }
  });
}

}  // namespace tandem::js

/// Leaves node of A, node of B and outcome of the first pairs that the recursive traversal of two
/// trees visits, at most as many as asked for; how many pairs it visits, how many overlap, how many
/// of these are leaves and how many triangles touch; then the slabs of both nodes of each step.
TANDEM_JS(trace)
void js_trace(const Model* a, const Model* b, const double* b_in_a, std::size_t most,
              const char* name, std::size_t name_size) {
  js::put_trace(*a, *b, js::pose_at(b_in_a), most, {name, name_size});
}
