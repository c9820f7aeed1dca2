// Hierarchies whose volumes exist only on the way down: they have no cursors.
#pragma once

#include <tandem/error.h>

#include "query/hierarchy.h"

namespace tandem::detail {

class DescentHierarchy : public Hierarchy {
 public:
  bool can_be_at(const Hierarchy&, Algorithm, const StacklessState&) const override { refuse(); }
  bool can_be_at(const Hierarchy&, Algorithm, const TrailState&) const override { refuse(); }
  Flow advance(const Hierarchy&, const TraversalRequest&, LeafPair<NullObserver>&, StacklessState&,
               std::uint64_t&) const override {
    refuse();
  }
  Flow advance(const Hierarchy&, const TraversalRequest&, LeafPair<NullObserver>&, TrailState&,
               std::uint64_t&) const override {
    refuse();
  }

 protected:
  /// Queries ask `supports` first.
  [[noreturn]] static void refuse() { throw Error("this volume does not have that algorithm"); }
};

}  // namespace tandem::detail
