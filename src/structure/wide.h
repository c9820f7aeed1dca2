// The wide tree: blocks of four for SIMD lanes.
#pragma once

#include <cstddef>
#include <utility>

#include "structure/structures.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A wide tree and its view, which small queries have no time to make.
class WideStructure {
 public:
  explicit WideStructure(WideTree tree) : tree_(std::move(tree)), view_(tree_.view()) {}

  const WideTree& tree() const { return tree_; }
  const WideTreeView& view() const { return view_; }
  std::size_t bytes() const { return tree_.bytes(); }

 private:
  WideTree tree_;
  WideTreeView view_;
};

template <>
struct Recipe<WideStructure> {
  static WideStructure make(const Structures& structures, const Progress& progress);
};

template <>
struct Refit<WideStructure> {
  static WideStructure refit(const WideStructure& older, const Structures& now);
  static double cost(const WideStructure& structure, const Mesh& mesh);
};

}  // namespace tandem::detail
