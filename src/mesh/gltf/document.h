// What a glTF's JSON says about triangles: buffers, views of them, accessors, meshes, nodes.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/gltf/transform.h"
#include "mesh/readers.h"

namespace tandem::detail {

/// In place of an index that is not given.
inline constexpr std::uint32_t k_no_index = std::numeric_limits<std::uint32_t>::max();

/// Offsets, lengths and counts are at most this, so that sums and products of a few fit 64 bits.
inline constexpr std::uint64_t k_largest_integer = std::uint64_t{1} << 53;

struct GltfBuffer {
  std::uint64_t byte_length = 0;
  std::optional<std::string> uri;
};

struct GltfView {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t byte_length = 0;
  std::optional<std::uint64_t> byte_stride;
};

/// Elements that replace some of an accessor's.
struct GltfSparse {
  std::uint64_t count = 0;
  std::uint32_t indices_view = 0;
  std::uint64_t indices_offset = 0;
  std::uint64_t indices_type = 0;
  std::uint32_t values_view = 0;
  std::uint64_t values_offset = 0;
};

/// `component_type` and `type` are as in the file: nobody has checked yet that they exist.
struct GltfAccessor {
  std::uint32_t view = k_no_index;
  std::uint64_t byte_offset = 0;
  std::uint64_t component_type = 0;
  std::uint64_t count = 0;
  std::string type;
  bool normalized = false;
  std::optional<GltfSparse> sparse;
};

struct GltfPrimitive {
  std::uint32_t positions = k_no_index;
  std::uint32_t indices = k_no_index;
  std::uint64_t mode = 0;
};

/// A part of one of the document's arrays.
struct GltfRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// `transform` is an index into the document's transforms.
struct GltfNode {
  std::uint32_t mesh = k_no_index;
  std::uint32_t transform = k_no_index;
  GltfRange children;
};

/// Every array is as long as the file's; indices in it are not checked yet, except that they are
/// not `k_no_index`. The size of all of it is bounded by the size of the JSON.
struct GltfDocument {
  /// Positions may be integers (KHR_mesh_quantization).
  bool quantized = false;
  std::vector<GltfBuffer> buffers;
  std::vector<GltfView> views;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfRange> meshes;
  std::vector<GltfPrimitive> primitives;
  std::vector<GltfNode> nodes;
  std::vector<std::uint32_t> children;
  std::vector<GltfTransform> transforms;
  /// The nodes of the default scene.
  std::vector<std::uint32_t> roots;
  /// Of nodes and meshes that have one, by index, when they are asked for.
  std::map<std::uint32_t, std::string> node_names;
  std::map<std::uint32_t, std::string> mesh_names;
};

/// Whether names are read; what is not looked at cannot be wrong.
enum class GltfNames { ignored, read };

/// Reads the JSON. Throws `tandem::Error` when it is none, when something is missing or of the
/// wrong kind, and for versions and required extensions that are not known.
GltfDocument parse_gltf(const Source& source, std::string_view json, GltfNames names);

}  // namespace tandem::detail
