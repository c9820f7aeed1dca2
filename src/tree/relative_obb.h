// Oriented boxes relative to their parents, as RAPID keeps them: a node's axes and centre are those
// in its parent's box. Where B's box stands in A's is then passed down from pair to pair, at the
// price of one product of matrices, whichever of the two is descended.
//
// Margins. Stored axes are orthonormal up to float32, which one step after the other passes on:
// after all steps that two trees can have, axes are off by less than k_relative_axis_error, and
// centres by less than that share of both roots and of the ways down. Half sides include all of it,
// so that a pair costs no margin but that of the axes that are cross products.
#pragma once

#include <cstddef>
#include <string_view>

#include "tree/tree.h"
#include "volume/obb.h"

namespace tandem::detail {

/// The boxes of a tree, each relative to its parent's and the root's to the mesh; sides longest
/// first.
class RelativeObbTree {
 public:
  using View = TreeView<Obb>;
  static constexpr std::string_view k_name = "obb-relative";
  static constexpr std::string_view k_description = "oriented box relative to its parent's";

  explicit RelativeObbTree(const TreeView<Obb>& boxes);

  View view() const { return tree_.view(); }
  std::size_t bytes() const { return tree_.bytes(); }

 private:
  Tree<Obb> tree_;
};

/// Bounds the error of relative axes at the end of any way down.
inline constexpr double k_relative_axis_error = 1e-4;

}  // namespace tandem::detail
