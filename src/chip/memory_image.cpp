#include "chip/memory_image.h"

#include <tandem/error.h>

#include <utility>

#include "geometry/unit_triangle.h"
#include "query/model_access.h"
#include "structure/boxtree.h"
#include "structure/stored.h"
#include "tree/boxtree_view.h"
#include "volume/kdop.h"

namespace tandem::chip {
namespace {

using detail::Kdop;
using detail::TreeView;

[[noreturn]] void refuse_children(std::uint32_t node) {
  throw Error("the chip has pairs of siblings, and node " + std::to_string(node) +
              " has more than two children");
}

template <int K>
Bounds bounds_of(const Kdop<K>& dop) {
  Bounds bounds{};
  for (std::size_t s = 0; s < K / 2; ++s) {
    bounds[s] = dop.lower[s];
    bounds[s + K / 2] = dop.upper[s];
  }
  return bounds;
}

/// Nodes and the places that they get; children are placed, two by two, in the order in which their
/// parents stand in the tree.
class Places {
 public:
  explicit Places(std::vector<NodeRecord>& nodes) : nodes_(nodes) {}

  /// The next free pair.
  std::uint32_t add_pair() {
    nodes_.resize(nodes_.size() + 2);
    return static_cast<std::uint32_t>(nodes_.size() / 2 - 1);
  }
  NodeRecord& at(std::uint32_t place) { return nodes_[place]; }

 private:
  std::vector<NodeRecord>& nodes_;
};

template <int K>
void place_dops(const TreeView<Kdop<K>>& tree, std::vector<NodeRecord>& nodes) {
  Places places(nodes);
  std::vector<std::uint32_t> place_of(tree.node_count());
  if (!tree.empty()) place_of[0] = 2 * places.add_pair();
  for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
    NodeRecord record{.bounds = bounds_of(tree.volume(node)), .node = node};
    if (tree.is_leaf(node)) {
      record.kind = NodeKind::leaf;
      record.link = tree.triangle(node);
    } else {
      record.kind = NodeKind::inner;
      record.link = places.add_pair();
      std::uint32_t place = 2 * record.link;
      const std::uint32_t end = tree.escape_index(node);
      for (std::uint32_t child = tree.first_child(node); child != end;
           child = tree.escape_index(child)) {
        if (place == 2 * record.link + 2) refuse_children(node);
        place_of[child] = place++;
      }
    }
    places.at(place_of[node]) = record;
  }
}

template <int K>
void place_dops_of(const Model& model, std::vector<NodeRecord>& nodes) {
  place_dops<K>(detail::structures_of(model).get<detail::Tree<Kdop<K>>>().view(), nodes);
}

/// The boxes are those that the planes leave over on the way down.
void place_boxes(const detail::OnePlaneView& tree, std::vector<NodeRecord>& nodes) {
  using detail::Cut;
  using Box = detail::RestrictedBox<>;
  struct Waiting {
    std::uint32_t node;
    Box box;
    std::uint32_t place;
  };
  Places places(nodes);
  std::vector<Waiting> waiting = {{tree.root(), Box(tree.root_box()), 2 * places.add_pair()}};
  while (!waiting.empty()) {
    const Waiting next = waiting.back();
    waiting.pop_back();
    NodeRecord record{.node = next.node};
    for (std::size_t i = 0; i < 3; ++i) {
      const int axis = static_cast<int>(i);
      record.bounds[i] = static_cast<float>(next.box.lower(axis));
      record.bounds[i + 3] = static_cast<float>(next.box.upper(axis));
    }
    if (tree.is_leaf(next.node)) {
      record.kind = NodeKind::leaf;
      tree.triangles(next.node, [&](std::uint32_t id) {
        record.link = id;
        return Flow::go_on;
      });
    } else {
      record.kind = NodeKind::inner;
      record.link = places.add_pair();
      std::uint32_t place = 2 * record.link;
      const auto cut = [](Box& box, const Cut& by) { box.move(by); };
      tree.children(next.node, next.box, cut, [&](std::uint32_t child, const Box& box) {
        if (place == 2 * record.link + 2) refuse_children(next.node);
        waiting.push_back({child, box, place++});
        return Flow::go_on;
      });
    }
    places.at(next.place) = record;
  }
}

void place_nodes(const Model& model, Nodes format, std::vector<NodeRecord>& nodes) {
  switch (format) {
    case Nodes::dop6:
      return place_dops_of<6>(model, nodes);
    case Nodes::dop14:
      return place_dops_of<14>(model, nodes);
    case Nodes::dop18:
      return place_dops_of<18>(model, nodes);
    case Nodes::dop24:
      return place_dops_of<24>(model, nodes);
    case Nodes::dop26:
      return place_dops_of<26>(model, nodes);
    case Nodes::boxtree:
      return place_boxes(detail::structures_of(model).get<detail::OnePlaneBoxtree>().view(), nodes);
  }
}

}  // namespace

TriangleRecord triangle_record(const TriangleF& triangle) {
  const detail::UnitTriangle unit(triangle);
  TriangleRecord record;
  for (int i = 0; i < 3; ++i) {
    // The offset that the rounded numbers of the row ask for, rounded once.
    double offset = 0;
    for (int j = 0; j < 3; ++j) {
      record.matrix[i][j] = unit.matrix[i][j];
      offset -= double{unit.matrix[i][j]} * double{unit.origin[j]};
    }
    record.matrix[i][3] = static_cast<float>(offset);
    for (int j = 0; j < 3; ++j) record.corner[i][j] = triangle.corner[i][j];
  }
  return record;
}

ObjectImage object_image(const Model& model, Nodes nodes) {
  ObjectImage image;
  image.k = info_of(nodes).k;
  const Mesh& mesh = model.mesh();
  if (mesh.empty()) return image;
  place_nodes(model, nodes, image.nodes);
  image.triangles.reserve(mesh.triangle_count());
  for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
    image.triangles.push_back(triangle_record(mesh.triangle(id)));
  }
  return image;
}

MemoryLayout::MemoryLayout(const Config& config, const ObjectImage& a, const ObjectImage& b)
    : stride_(static_cast<std::uint64_t>(config.pair_stride())),
      node_bytes_(static_cast<std::uint64_t>(config.node_bytes())) {
  const ObjectImage* const objects[] = {&a, &b};
  // Pairs and records begin where one of them may.
  const auto next_multiple_of = [&](std::uint64_t stride) {
    bytes_ = (bytes_ + stride - 1) / stride * stride;
    return bytes_;
  };
  for (int i = 0; i < 2; ++i) {
    nodes_[i] = next_multiple_of(stride_);
    bytes_ += objects[i]->pair_count() * stride_;
    triangles_[i] = next_multiple_of(Config::triangle_stride());
    bytes_ += objects[i]->triangles.size() * Config::triangle_stride();
  }
}

}  // namespace tandem::chip
