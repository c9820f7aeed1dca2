// Engines: all the ways in which a query can run, for those who compare them.
//
// Everyday queries need nothing of this header: the defaults are the fastest. An engine is
//
//   a structure      what is made of a mesh and searched: a tree of boxes, of k-DOPs, a boxtree ...
//   a traversal      how two structures are walked together, or one along a ray
//   an overlap test  how two nodes are told apart
//   a triangle test  how two triangles are tested
//
// Each is chosen by its name; `tandem list` prints all names with descriptions, and `all()` returns
// them. With the exact triangle test every engine finds the same pairs, and every ray engine the
// same hits to the bit.
#pragma once

#include <tandem/export.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace tandem {

/// One of the library's structures, traversals, tests or builders, by name. A value that exists
/// names something that exists.
template <class Kind>
class Named {
 public:
  /// The library's choice, called "automatic".
  constexpr Named() = default;

  /// Throws `tandem::Error` that lists the names that there are when `name` is none of them.
  template <class Name>
  requires(std::is_convertible_v<const Name&, std::string_view>)
      Named(const Name& name)  // NOLINT(google-explicit-constructor): written as its name
      : index_(index_of(name)) {}

  bool is_automatic() const { return index_ == 0; }
  TANDEM_API std::string_view name() const;
  TANDEM_API std::string_view description() const;
  /// Where it stands in `all()`, counted from 1; 0 for the library's choice.
  std::size_t index() const { return index_; }

  /// All of this kind, without the library's choice.
  TANDEM_API static std::span<const Named> all();

  friend bool operator==(const Named&, const Named&) = default;

 private:
  TANDEM_API static std::uint8_t index_of(std::string_view name);

  std::uint8_t index_ = 0;
};

struct TANDEM_API StructureKind;
struct TANDEM_API TraversalKind;
struct TANDEM_API OverlapTestKind;
struct TANDEM_API TriangleTestKind;
struct TANDEM_API RayTraversalKind;
struct TANDEM_API BuilderKind;

using Structure = Named<StructureKind>;
using Traversal = Named<TraversalKind>;
using OverlapTest = Named<OverlapTestKind>;
using TriangleTest = Named<TriangleTestKind>;
using RayTraversal = Named<RayTraversalKind>;
using Builder = Named<BuilderKind>;

/// How a query between two models runs. What is left automatic is chosen so that it fits the rest:
/// the structure is the one that the models were made for, the triangle test the exact one.
struct Engine {
  Structure structure = {};
  Traversal traversal = {};
  OverlapTest overlap = {};
  TriangleTest triangle_test = {};

  friend bool operator==(const Engine&, const Engine&) = default;
};

/// All engines, with nothing left automatic.
TANDEM_API std::span<const Engine> engines();

/// Whether there is an engine with these names; what is automatic may be anything.
TANDEM_API bool exists(const Engine& engine);

/// How a query of rays runs.
struct RayEngine {
  Structure structure = {};
  RayTraversal traversal = {};

  friend bool operator==(const RayEngine&, const RayEngine&) = default;
};

TANDEM_API std::span<const RayEngine> ray_engines();
TANDEM_API bool exists(const RayEngine& engine);

/// Whether the builder makes that structure.
TANDEM_API bool builds(Builder builder, Structure structure);

/// Bytes per node of the structure in memory: the volume and one link. A two-plane boxtree has 4
/// bytes per triangle beside its nodes. 0 where there are no nodes.
TANDEM_API std::size_t bytes_per_node(Structure structure);

/// What a cursor of a traversal remembers (tandem/cursor.h).
enum class CursorKind { none, stackless, trail };
TANDEM_API CursorKind cursor_kind(Traversal traversal);

/// Bytes that a ray remembers between two steps, beside the ray itself and its closest hit; 0 for
/// traversals that cannot be stopped between two steps.
TANDEM_API std::size_t state_bytes(RayTraversal traversal);

/// What boxtrees can be told beside `BuildOptions`.
struct BoxtreeOptions {
  /// The most triangles per leaf, from 1 to 64. 0 stands for 8 in boxtree-packed and 1 in the
  /// others; boxtree itself has no choice.
  int leaf_size = 0;
  /// Siblings are cut along the same axis, as in the paper, not each along its best one.
  bool parallel_planes = false;
  /// boxtree-two-planes and boxtree-packed cut a box again as long as a cut removes more than this
  /// share of it, from 0 to 1. At 1 each box differs from its parent's in one side, as in the
  /// paper.
  double trim = 0.1;

  friend bool operator==(const BoxtreeOptions&, const BoxtreeOptions&) = default;
};

}  // namespace tandem
