// glTF 2.0 and GLB: the triangles of the default scene, in one mesh or in parts. What they do not
// use, such as materials, animations and the accessors of other attributes, is not looked at; skins
// and morph targets are not applied.
#include <tandem/error.h>

#include <array>
#include <unordered_map>

#include "mesh/assembly/pieces.h"
#include "mesh/gltf/accessor.h"
#include "mesh/gltf/buffers.h"
#include "mesh/gltf/container.h"
#include "mesh/gltf/document.h"
#include "mesh/gltf/placement.h"
#include "mesh/gltf/scene.h"
#include "mesh/readers.h"

namespace tandem::detail {

namespace {

/// Where the caller sets no limit: some files show one mesh in hundreds of places, but a small file
/// that fills the memory is an attack.
constexpr std::uint64_t k_free_elements = 1000000;
constexpr std::uint64_t k_elements_per_byte = 64;

/// How a primitive's vertices form shapes, with the file's numbers for it. Points and lines come
/// before these.
enum class Mode : std::uint8_t { triangles = 4, strip = 5, fan = 6 };

constexpr std::uint64_t k_last_mode = static_cast<std::uint64_t>(Mode::fan);

/// The triangles of one primitive.
struct TriangleSet {
  Mode mode = Mode::triangles;
  /// For messages.
  std::size_t primitive = 0;
  /// Its vertices, counted from the first one of the mesh.
  std::size_t first_vertex = 0;
  std::uint64_t vertex_count = 0;
  /// Without indices the vertices come in their own order.
  bool is_indexed = false;
  GltfElements indices;

  std::uint64_t corner_count() const { return is_indexed ? indices.count : vertex_count; }
  std::uint64_t triangle_count() const {
    return mode == Mode::triangles ? corner_count() / 3 : corner_count() - 2;
  }
};

/// A mesh of the file with everything in it found and checked, except the values. Primitives with
/// the same positions share their vertices.
struct MeshPlan {
  std::vector<GltfElements> positions;
  std::vector<TriangleSet> triangles;
  std::uint64_t vertex_count = 0;
  std::uint64_t triangle_count = 0;
};

class GltfReader {
 public:
  GltfReader(const Source& source, const GltfContainer& container, GltfNames names)
      : source_(source),
        document_(parse_gltf(source, container.json, names)),
        buffers_(source, document_, container.binary) {}

  /// All that is shown in one mesh.
  Mesh read_mesh() {
    const std::vector<GltfInstance> instances = find_instances(source_, document_);
    // Counted before anything is allocated: few bytes can show large meshes many times.
    for (const GltfInstance& instance : instances) count(plan_of(instance.mesh));
    check_free_limit();
    MeshBuilder builder(source_);
    builder.reserve(vertex_count_, triangle_count_, element_limit(source_.options));
    for (const GltfInstance& instance : instances) {
      add_mesh(instance.mesh, instance.in_world, builder);
    }
    return builder.finish();
  }

  /// A part for each node that shows triangles. What counts are the meshes that are stored.
  Assembly read_assembly(const Pose& pose) {
    Assembly assembly;
    GltfPlacements placements;
    UniqueNames names;
    std::uint64_t first_triangle = 0;
    for (const GltfInstance& instance : find_instances(source_, document_)) {
      const MeshPlan& plan = plan_of(instance.mesh);
      if (plan.triangle_count == 0) continue;
      const std::size_t known = placements.baked_meshes().size();
      const GltfPlacement placement = place(instance, pose, placements);
      if (placement.baked_mesh == known) count(plan);
      assembly.parts.push_back({.name = names.add(name_of(instance)),
                                .mesh = placement.baked_mesh,
                                .pose = placement.pose,
                                .first_triangle = first_triangle});
      first_triangle += plan.triangle_count;
    }
    check_free_limit();
    for (const GltfBakedMesh& baked : placements.baked_meshes()) {
      MeshBuilder builder(source_, "mesh " + std::to_string(baked.mesh) + ": ");
      const MeshPlan& plan = plan_of(baked.mesh);
      builder.reserve(plan.vertex_count, plan.triangle_count, element_limit(source_.options));
      add_mesh(baked.mesh, baked.baked, builder);
      assembly.meshes.push_back(builder.finish());
    }
    return assembly;
  }

 private:
  GltfPlacement place(const GltfInstance& instance, const Pose& pose,
                      GltfPlacements& placements) const {
    try {
      GltfPlacement placement =
          placements.place(instance.mesh, instance.in_world, source_.options.scale);
      if (!is_identity(pose)) placement.pose = pose * placement.pose;
      return placement;
    } catch (const Error& error) {
      source_.fail("node " + std::to_string(instance.node) + ": " + error.what());
    }
  }

  /// The name of the node, or else that of its mesh.
  std::string name_of(const GltfInstance& instance) const {
    const auto node_name = document_.node_names.find(instance.node);
    if (node_name != document_.node_names.end()) return node_name->second;
    const auto mesh_name = document_.mesh_names.find(instance.mesh);
    if (mesh_name != document_.mesh_names.end()) return mesh_name->second;
    return "node " + std::to_string(instance.node);
  }

  /// Adds up what will be stored.
  void count(const MeshPlan& plan) {
    vertex_count_ += plan.vertex_count;
    triangle_count_ += plan.triangle_count;
    check_limit(vertex_count_, triangle_count_, element_limit(source_.options));
  }

  void check_free_limit() const {
    if (source_.options.max_elements != 0) return;
    check_limit(vertex_count_, triangle_count_,
                k_free_elements + k_elements_per_byte * buffers_.bytes_read());
  }

  void add_mesh(std::uint32_t mesh, const GltfTransform& in_world, MeshBuilder& builder) {
    const auto first = static_cast<std::uint32_t>(builder.vertex_count());
    const MeshPlan& plan = plan_of(mesh);
    for (const GltfElements& positions : plan.positions) {
      add_vertices(positions, in_world, builder);
    }
    for (const TriangleSet& set : plan.triangles) add_triangles(set, mesh, first, builder);
  }

  static std::string place_of(std::uint32_t mesh, std::size_t primitive) {
    return "mesh " + std::to_string(mesh) + ", primitive " + std::to_string(primitive);
  }

  void check_limit(std::uint64_t vertex_count, std::uint64_t triangle_count,
                   std::uint64_t limit) const {
    if (vertex_count > limit) fail_too_many(source_, "vertices", limit);
    if (triangle_count > limit) fail_too_many(source_, "triangles", limit);
  }

  const MeshPlan& plan_of(std::uint32_t mesh) {
    const auto [entry, is_new] = plans_.try_emplace(mesh);
    if (is_new) entry->second = make_plan(mesh);
    return entry->second;
  }

  MeshPlan make_plan(std::uint32_t mesh) {
    MeshPlan plan;
    struct Vertices {
      std::size_t first;
      std::uint64_t count;
    };
    std::unordered_map<std::uint32_t, Vertices> known;
    const GltfRange range = document_.meshes[mesh];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const GltfPrimitive& primitive = document_.primitives[i];
      const std::string place = place_of(mesh, i - range.begin);
      if (primitive.mode > k_last_mode) {
        source_.fail(place + ": the mode " + std::to_string(primitive.mode) + " does not exist");
      }
      const bool is_triangles = primitive.mode >= static_cast<std::uint64_t>(Mode::triangles);
      if (!is_triangles || primitive.positions == k_no_index) continue;

      const auto [vertices, is_new] = known.try_emplace(primitive.positions);
      if (is_new) {
        plan.positions.push_back(make_elements(source_, document_, buffers_, primitive.positions,
                                               GltfPurpose::positions, place));
        vertices->second = {plan.vertex_count, plan.positions.back().count};
        plan.vertex_count += vertices->second.count;
      }
      TriangleSet set{.mode = static_cast<Mode>(primitive.mode),
                      .primitive = i - range.begin,
                      .first_vertex = vertices->second.first,
                      .vertex_count = vertices->second.count,
                      .is_indexed = primitive.indices != k_no_index,
                      .indices = {}};
      if (set.is_indexed) {
        set.indices = make_elements(source_, document_, buffers_, primitive.indices,
                                    GltfPurpose::indices, place);
      }
      check_corner_count(set, place);
      plan.triangle_count += set.triangle_count();
      plan.triangles.push_back(set);
      check_limit(plan.vertex_count, plan.triangle_count, element_limit(source_.options));
    }
    return plan;
  }

  void check_corner_count(const TriangleSet& set, const std::string& place) const {
    const std::uint64_t count = set.corner_count();
    const bool is_right = set.mode == Mode::triangles ? count % 3 == 0 : count >= 3;
    if (is_right) return;
    source_.fail(place + ": " + std::to_string(count) +
                 (set.is_indexed ? " indices" : " vertices") + " do not make " +
                 (set.mode == Mode::triangles ? "whole triangles" : "a triangle"));
  }

  static void add_vertices(const GltfElements& positions, const GltfTransform& in_world,
                           MeshBuilder& builder) {
    GltfCursor<3> cursor(positions);
    for (std::uint64_t i = 0; i < positions.count; ++i) {
      const Vec3f position = in_world * cursor.next();
      if (!is_finite(position)) builder.fail_not_finite();
      builder.add_vertex(position);
    }
  }

  /// The corners of a triangle come in the order in which the specification lists them.
  void add_triangles(const TriangleSet& set, std::uint32_t mesh, std::uint32_t first,
                     MeshBuilder& builder) const {
    first += static_cast<std::uint32_t>(set.first_vertex);
    GltfCursor<1> cursor(set.indices);
    std::uint32_t position = 0;
    const auto next = [&] {
      return first + (set.is_indexed ? next_index(set, cursor, mesh) : position++);
    };
    const std::uint64_t count = set.triangle_count();
    if (set.mode == Mode::triangles) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t a = next();
        const std::uint32_t b = next();
        builder.add_face(std::array{a, b, next()});
      }
      return;
    }
    const std::uint32_t start = next();
    std::array<std::uint32_t, 2> last{start, next()};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t corner = next();
      if (set.mode == Mode::fan) {
        builder.add_face(std::array{last[1], corner, start});
      } else if (i % 2 == 0) {
        builder.add_face(std::array{last[0], last[1], corner});
      } else {
        builder.add_face(std::array{last[0], corner, last[1]});
      }
      last = {last[1], corner};
    }
  }

  /// The largest number of each type is not an index: graphics hardware starts anew there.
  std::uint32_t next_index(const TriangleSet& set, GltfCursor<1>& cursor,
                           std::uint32_t mesh) const {
    const auto index = static_cast<std::uint32_t>(cursor.next()[0]);
    const std::uint32_t reserved =
        std::numeric_limits<std::uint32_t>::max() >> (32 - 8 * size_of(set.indices.type));
    if (index >= set.vertex_count || index == reserved) {
      source_.fail(place_of(mesh, set.primitive) + ": it uses vertex " + std::to_string(index) +
                   (index < set.vertex_count
                        ? ", which its type of indices reserves"
                        : ", but there are only " + std::to_string(set.vertex_count)));
    }
    return index;
  }

  const Source& source_;
  const GltfDocument document_;
  GltfBuffers buffers_;
  std::unordered_map<std::uint32_t, MeshPlan> plans_;
  std::uint64_t vertex_count_ = 0;
  std::uint64_t triangle_count_ = 0;
};

}  // namespace

Mesh read_gltf(const Source& source) {
  return GltfReader(source, open_gltf(source), GltfNames::ignored).read_mesh();
}

Assembly read_gltf_assembly(const Source& source, const Pose& pose) {
  return GltfReader(source, open_gltf(source), GltfNames::read).read_assembly(pose);
}

}  // namespace tandem::detail
