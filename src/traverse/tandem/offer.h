// What a pair of structures can show of itself to a traversal, and what a traversal needs to see.
//
// The tandem room holds the traversals of two structures together, one file each. A traversal is a
// struct with a name, a description, what it needs, and either a function `run` or, when it can be
// stopped and resumed, a function `walk`. It is generic over the structures, the overlap test, what
// happens with a pair of leaves, and the observer. One that can share its work among threads also
// has `k_most_parts` and a function `parts`.
#pragma once

namespace tandem::detail {

/// One bit per form. The comment names the functions of the pair of structures that give it.
enum class Offer : unsigned {
  /// The triangles themselves: mesh_a(), mesh_b().
  triangles = 1,
  /// Pairs of nodes on the way down (traverse/tandem/descent.h): pairs(observer).
  pairs = 2,
  /// The same with the levels of both nodes: levelled_pairs(observer).
  levelled_pairs = 4,
  /// Single nodes on the way down: nodes(observer).
  nodes = 8,
  /// Stored volumes with escape indices: lean_a(), lean_b().
  lean = 16,
  /// Stored volumes with links in every direction: pre_indexed_a(), pre_indexed_b().
  pre_indexed = 32,
  /// The same with right children behind their parents: post_indexed_a(), post_indexed_b().
  post_indexed = 64,
  /// Blocks of four for SIMD lanes: wide_a(), wide_b().
  blocks = 128,
};

constexpr Offer operator|(Offer a, Offer b) {
  return static_cast<Offer>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether `offered` has the form `needed`.
constexpr bool has(Offer offered, Offer needed) {
  return (static_cast<unsigned>(offered) & static_cast<unsigned>(needed)) != 0;
}

}  // namespace tandem::detail
