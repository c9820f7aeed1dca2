// The JSON of a glTF, parsed by simdjson: strict, iterative, and in memory bounded by its length.
#include "mesh/gltf/document.h"

#if defined(TANDEM_HAS_SIMDJSON)

#include <simdjson.h>

#include <cmath>
#include <utility>

namespace tandem {

bool reads_gltf() {
  return true;
}

namespace detail {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t k_max_depth = 256;

/// How far from 1 the squared length of a rotation may be; files round it to a few digits.
constexpr double k_rotation_tolerance = 0.01;

/// Extensions that say how to read positions, or that have no part in where triangles are. A file
/// that requires any other cannot be read right.
bool is_known_extension(std::string_view name) {
  for (const std::string_view family : {"KHR_materials_", "KHR_texture_", "EXT_texture_"}) {
    if (name.starts_with(family)) return true;
  }
  for (const std::string_view known :
       {"KHR_mesh_quantization", "KHR_lights_punctual", "KHR_xmp_json_ld", "KHR_animation_pointer",
        "EXT_lights_image_based", "EXT_lights_ies", "MSFT_texture_dds"}) {
    if (name == known) return true;
  }
  return false;
}

std::string why_no_json(simdjson::error_code error) {
  switch (error) {
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC:
      return "it is too large";
    case simdjson::DEPTH_ERROR:
      return "arrays and objects are nested more than " + std::to_string(k_max_depth) + " deep";
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
      return "a string has a character or an escape that is not allowed";
    case simdjson::UNCLOSED_STRING:
      return "a string does not end";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed or too large";
    case simdjson::UTF8_ERROR:
      return "it is not UTF-8";
    case simdjson::EMPTY:
      return "it is empty";
    default:
      return "a bracket, comma, colon, name or value is missing or too many";
  }
}

/// An object of the document, and what to call it in messages: "mesh 3, primitive 1: ...". The name
/// is put together only when it is needed.
class Part {
 public:
  explicit Part(const Source& source, object content) : source_(source), content_(content) {}

  [[noreturn]] void fail(const std::string& what) const {
    std::string place;
    if (kind_ != nullptr) place = kind_ + (" " + std::to_string(index_));
    if (inner_kind_ != nullptr)
      place += std::string(", ") + inner_kind_ + " " + std::to_string(inner_index_);
    source_.fail(place.empty() ? what : place + ": " + what);
  }

  std::optional<element> find(std::string_view key) const {
    std::optional<element> found;
    for (const auto field : content_) {
      if (field.key != key) continue;
      if (found) fail(quoted(key) + " is given twice");
      found = field.value;
    }
    return found;
  }

  /// An object in this one, which keeps its name.
  std::optional<Part> part(std::string_view key) const {
    const std::optional<element> value = find(key);
    if (!value) return std::nullopt;
    Part part(*this);
    if (value->get(part.content_) != simdjson::SUCCESS) fail(quoted(key) + " is not an object");
    return part;
  }

  Part required_part(std::string_view key) const {
    const std::optional<Part> value = part(key);
    if (!value) fail_missing(key);
    return *value;
  }

  /// Calls `use` with each value of an array; there are none when it is not given.
  template <class Use>
  void for_each(std::string_view key, Use use) const {
    const std::optional<element> value = find(key);
    if (!value) return;
    array values;
    if (value->get(values) != simdjson::SUCCESS) fail(quoted(key) + " is not an array");
    for (const element item : values) use(item);
  }

  /// Calls `use` with each object of an array, called `kind` and its index.
  template <class Use>
  void for_each_part(std::string_view key, const char* kind, Use use) const {
    Part part(*this);
    (kind_ == nullptr ? part.kind_ : part.inner_kind_) = kind;
    std::size_t& index = kind_ == nullptr ? part.index_ : part.inner_index_;
    for_each(key, [&](element item) {
      if (item.get(part.content_) != simdjson::SUCCESS) part.fail("this is not an object");
      use(std::as_const(part));
      ++index;
    });
  }

  std::optional<std::uint64_t> integer(std::string_view key) const {
    const std::optional<element> value = find(key);
    if (!value) return std::nullopt;
    return integer_of(*value, key);
  }

  std::uint64_t required_integer(std::string_view key) const {
    const std::optional<std::uint64_t> value = integer(key);
    if (!value) fail_missing(key);
    return *value;
  }

  /// `k_no_index` when it is not given.
  std::uint32_t index(std::string_view key) const {
    const std::optional<element> value = find(key);
    return value ? index_of(*value, key) : k_no_index;
  }

  std::uint32_t required_index(std::string_view key) const {
    const std::uint32_t value = index(key);
    if (value == k_no_index) fail_missing(key);
    return value;
  }

  std::uint32_t index_of(element value, std::string_view key) const {
    const std::uint64_t index = integer_of(value, key);
    if (index >= k_no_index) fail(quoted(key) + " has an index that is too large");
    return static_cast<std::uint32_t>(index);
  }

  bool flag(std::string_view key) const {
    const std::optional<element> value = find(key);
    bool flag = false;
    if (value && value->get(flag) != simdjson::SUCCESS) fail(quoted(key) + " is not true or false");
    return flag;
  }

  std::optional<std::string_view> text(std::string_view key) const {
    const std::optional<element> value = find(key);
    if (!value) return std::nullopt;
    return text_of(*value, key);
  }

  std::string_view text_of(element value, std::string_view key) const {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) fail(quoted(key) + " is not a string");
    return text;
  }

  template <std::size_t size>
  std::optional<std::array<double, size>> numbers(std::string_view key) const {
    if (!find(key)) return std::nullopt;
    std::array<double, size> numbers{};
    std::size_t count = 0;
    for_each(key, [&](element item) {
      double number = 0;
      if (count == size || item.get(number) != simdjson::SUCCESS) fail_numbers(key, size);
      numbers[count++] = number;
    });
    if (count != size) fail_numbers(key, size);
    return numbers;
  }

  [[noreturn]] void fail_missing(std::string_view key) const { fail(quoted(key) + " is missing"); }

 private:
  [[noreturn]] void fail_numbers(std::string_view key, std::size_t size) const {
    fail(quoted(key) + " is not an array of " + std::to_string(size) + " numbers");
  }

  /// 3.0 and 3e0 are whole numbers too.
  std::uint64_t integer_of(element value, std::string_view key) const {
    double number = 0;
    if (value.get(number) != simdjson::SUCCESS || std::floor(number) != number || number < 0) {
      fail(quoted(key) + " is not a whole number from 0 on");
    }
    if (number > static_cast<double>(k_largest_integer)) fail(quoted(key) + " is too large");
    return static_cast<std::uint64_t>(number);
  }

  const Source& source_;
  object content_;
  const char* kind_ = nullptr;
  std::size_t index_ = 0;
  const char* inner_kind_ = nullptr;
  std::size_t inner_index_ = 0;
};

bool is_version_2(std::string_view version) {
  return version.starts_with("2.") && version.size() > 2 &&
         version.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

void check_version(const Part& root) {
  const Part asset = root.required_part("asset");
  const std::optional<std::string_view> version = asset.text("version");
  if (!version) root.fail("'asset' says no 'version'");
  if (!is_version_2(*version)) {
    root.fail("this is glTF of version " + quoted(*version) + ", but only 2 is read");
  }
  const std::optional<std::string_view> needed = asset.text("minVersion");
  if (needed && *needed != "2.0") {
    root.fail("this needs a reader for version " + quoted(*needed) +
              " of glTF, but this is for 2.0");
  }
}

void read_extensions(const Part& root, GltfDocument& document) {
  for (const std::string_view key : {"extensionsUsed", "extensionsRequired"}) {
    root.for_each(key, [&](element item) {
      const std::string_view name = root.text_of(item, key);
      document.quantized |= name == "KHR_mesh_quantization";
      if (key == "extensionsRequired" && !is_known_extension(name)) {
        root.fail("the file requires the extension " + quoted(name) + ", which is not known");
      }
    });
  }
}

GltfBuffer read_buffer(const Part& part) {
  GltfBuffer buffer;
  buffer.byte_length = part.required_integer("byteLength");
  buffer.uri = part.text("uri");
  return buffer;
}

GltfView read_view(const Part& part) {
  GltfView view;
  view.buffer = part.required_index("buffer");
  view.byte_offset = part.integer("byteOffset").value_or(0);
  view.byte_length = part.required_integer("byteLength");
  view.byte_stride = part.integer("byteStride");
  return view;
}

GltfSparse read_sparse(const Part& part) {
  GltfSparse sparse;
  sparse.count = part.required_integer("count");
  const Part indices = part.required_part("indices");
  sparse.indices_view = indices.required_index("bufferView");
  sparse.indices_offset = indices.integer("byteOffset").value_or(0);
  sparse.indices_type = indices.required_integer("componentType");
  const Part values = part.required_part("values");
  sparse.values_view = values.required_index("bufferView");
  sparse.values_offset = values.integer("byteOffset").value_or(0);
  return sparse;
}

GltfAccessor read_accessor(const Part& part) {
  GltfAccessor accessor;
  accessor.view = part.index("bufferView");
  accessor.byte_offset = part.integer("byteOffset").value_or(0);
  accessor.component_type = part.required_integer("componentType");
  accessor.count = part.required_integer("count");
  const std::optional<std::string_view> type = part.text("type");
  if (!type) part.fail_missing("type");
  accessor.type = *type;
  accessor.normalized = part.flag("normalized");
  if (const std::optional<Part> sparse = part.part("sparse")) {
    accessor.sparse = read_sparse(*sparse);
  }
  return accessor;
}

/// Keeps the name of a node or mesh, if it has one.
void read_name(const Part& part, std::size_t index, GltfNames reading,
               std::map<std::uint32_t, std::string>& names) {
  if (reading == GltfNames::ignored) return;
  const std::string_view name = part.text("name").value_or("");
  if (name.size() > k_longest_part_name) part.fail(name_too_long(name.size()));
  if (!name.empty()) names.emplace(static_cast<std::uint32_t>(index), name);
}

void read_meshes(const Part& root, GltfNames names, GltfDocument& document) {
  root.for_each_part("meshes", "mesh", [&](const Part& mesh) {
    read_name(mesh, document.meshes.size(), names, document.mesh_names);
    const std::size_t begin = document.primitives.size();
    mesh.for_each_part("primitives", "primitive", [&](const Part& part) {
      constexpr std::uint64_t k_triangles = 4;
      document.primitives.push_back(
          {.positions = part.required_part("attributes").index("POSITION"),
           .indices = part.index("indices"),
           .mode = part.integer("mode").value_or(k_triangles)});
    });
    if (document.primitives.size() == begin) mesh.fail("there are no 'primitives'");
    document.meshes.push_back({begin, document.primitives.size()});
  });
}

std::optional<GltfTransform> read_transform(const Part& node) {
  const auto matrix = node.numbers<16>("matrix");
  const auto translation = node.numbers<3>("translation");
  const auto rotation = node.numbers<4>("rotation");
  const auto scale = node.numbers<3>("scale");
  if (matrix) {
    if (translation || rotation || scale) {
      node.fail("it has a 'matrix' and a 'translation', 'rotation' or 'scale'");
    }
    const std::array<double, 16>& m = *matrix;
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
      node.fail("the last row of its 'matrix' is not 0 0 0 1");
    }
    return from_columns(m);
  }
  if (!translation && !rotation && !scale) return std::nullopt;
  const std::array<double, 4> turn = rotation.value_or(std::array<double, 4>{0, 0, 0, 1});
  double length_sq = 0;
  for (const double x : turn) length_sq += x * x;
  if (!(std::abs(length_sq - 1) <= k_rotation_tolerance)) {
    node.fail("its 'rotation' is not a quaternion of length 1");
  }
  return from_parts(translation.value_or(std::array<double, 3>{0, 0, 0}), turn,
                    scale.value_or(std::array<double, 3>{1, 1, 1}));
}

void read_nodes(const Part& root, GltfNames names, GltfDocument& document) {
  root.for_each_part("nodes", "node", [&](const Part& part) {
    read_name(part, document.nodes.size(), names, document.node_names);
    GltfNode node;
    node.mesh = part.index("mesh");
    if (const std::optional<GltfTransform> transform = read_transform(part)) {
      node.transform = static_cast<std::uint32_t>(document.transforms.size());
      document.transforms.push_back(*transform);
    }
    node.children.begin = document.children.size();
    part.for_each("children", [&](element child) {
      document.children.push_back(part.index_of(child, "children"));
    });
    node.children.end = document.children.size();
    document.nodes.push_back(node);
  });
}

/// The scene that the file names, or its first.
void read_scene(const Part& root, GltfDocument& document) {
  const std::uint32_t given = root.index("scene");
  const std::uint32_t chosen = given == k_no_index ? 0 : given;
  std::size_t count = 0;
  root.for_each_part("scenes", "scene", [&](const Part& scene) {
    if (count++ != chosen) return;
    scene.for_each("nodes",
                   [&](element node) { document.roots.push_back(scene.index_of(node, "nodes")); });
  });
  if (count == 0) root.fail("there is no scene that says where its meshes are");
  if (chosen >= count) {
    root.fail("'scene' is " + std::to_string(chosen) + ", but there are only " +
              std::to_string(count));
  }
}

}  // namespace

GltfDocument parse_gltf(const Source& source, std::string_view json, GltfNames names) {
  simdjson::dom::parser parser;
  simdjson::error_code error = parser.allocate(json.size(), k_max_depth);
  element whole;
  if (error == simdjson::SUCCESS) error = parser.parse(json.data(), json.size()).get(whole);
  if (error != simdjson::SUCCESS) source.fail("this is not JSON: " + why_no_json(error));
  object content;
  if (whole.get(content) != simdjson::SUCCESS) source.fail("the JSON is not an object");

  const Part root(source, content);
  GltfDocument document;
  check_version(root);
  read_extensions(root, document);
  root.for_each_part("buffers", "buffer",
                     [&](const Part& part) { document.buffers.push_back(read_buffer(part)); });
  root.for_each_part("bufferViews", "buffer view",
                     [&](const Part& part) { document.views.push_back(read_view(part)); });
  root.for_each_part("accessors", "accessor",
                     [&](const Part& part) { document.accessors.push_back(read_accessor(part)); });
  read_meshes(root, names, document);
  read_nodes(root, names, document);
  read_scene(root, document);
  return document;
}

}  // namespace detail

}  // namespace tandem

#else

namespace tandem {

bool reads_gltf() {
  return false;
}

detail::GltfDocument detail::parse_gltf(const Source& source, std::string_view, GltfNames) {
  source.fail(
      "this build reads no glTF; build Tandem with simdjson installed (Debian's libsimdjson-dev)");
}

}  // namespace tandem

#endif
