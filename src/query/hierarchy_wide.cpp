// The hierarchy of Volume::wide: a tree of blocks, and a traversal of its own.
#include <tandem/error.h>

#include <cassert>

#include "query/hierarchy.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/traversal.h"
#include "tree/wide/validate.h"

namespace tandem::detail {
namespace {

class WideHierarchy final : public Hierarchy {
 public:
  explicit WideHierarchy(WideTree tree) : tree_(std::move(tree)), view_(tree_.view()) {}

  Volume volume() const override { return Volume::wide; }
  std::size_t bytes() const override { return tree_.bytes(); }
  int arity() const override { return k_block; }

  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<NullObserver>& leaf_pair, NullObserver& observer) const override {
    return run(b, request, leaf_pair, observer);
  }
  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<CountingObserver>& leaf_pair, CountingObserver& observer) const override {
    return run(b, request, leaf_pair, observer);
  }

  // Algorithms with cursors do not work with this volume, so nothing asks for these.
  bool can_be_at(const Hierarchy&, Algorithm, const StacklessState&) const override {
    return false;
  }
  bool can_be_at(const Hierarchy&, Algorithm, const TrailState&) const override { return false; }
  Flow advance(const Hierarchy&, const TraversalRequest&, LeafPair<NullObserver>&, StacklessState&,
               std::uint64_t&) const override {
    throw Error("models with the volume wide have no cursors");
  }
  Flow advance(const Hierarchy&, const TraversalRequest&, LeafPair<NullObserver>&, TrailState&,
               std::uint64_t&) const override {
    throw Error("models with the volume wide have no cursors");
  }

 private:
  template <class Observer>
  Flow run(const Hierarchy& b, const TraversalRequest& request, LeafPair<Observer>& leaf_pair,
           Observer& observer) const {
    return traverse_wide(
        wide_kernels(), view_, static_cast<const WideHierarchy&>(b).view_, request.b_in_a,
        request.first_pair ? WideQuery::first_pair : WideQuery::all_pairs, leaf_pair, observer);
  }

  WideTree tree_;
  WideTreeView view_;
};

}  // namespace

std::unique_ptr<Hierarchy> make_wide_hierarchy(const Mesh& mesh, WideTree tree) {
  assert(validate_wide(mesh, tree).empty());
  static_cast<void>(mesh);
  return std::make_unique<WideHierarchy>(std::move(tree));
}

}  // namespace tandem::detail
