// glTF 2.0 and GLB. Assimp parses the file; this code decides which triangles there are, in which
// order and where.
#include <tandem/error.h>
#include <tandem/mesh_io.h>

#include "mesh/readers.h"

#if defined(TANDEM_HAS_ASSIMP)

#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/scene.h>

#include <array>
#include <assimp/Importer.hpp>

namespace tandem {

bool reads_gltf() {
  return true;
}

namespace detail {

namespace {

bool is_glb(const Source& source) {
  return source.content.starts_with("glTF");
}

/// The name under which Assimp sees the content; the ending tells it whether it is text or binary.
const char* main_name(const Source& source) {
  return is_glb(source) ? "$main$.glb" : "$main$.gltf";
}

/// The files that Assimp sees: the content, and the files of the source's folder if it has one.
class GltfFiles : public Assimp::IOSystem {
 public:
  explicit GltfFiles(const Source& source) : source_(source), main_(main_name(source)) {}

  bool Exists(const char* name) const override {
    return name == main_ || (source_.folder != nullptr && disk_.Exists(on_disk(name).c_str()));
  }

  char getOsSeparator() const override { return '/'; }

  Assimp::IOStream* Open(const char* name, const char* mode) override {
    if (name == main_) {
      return new Assimp::MemoryIOStream(
          reinterpret_cast<const std::uint8_t*>(source_.content.data()), source_.content.size());
    }
    return source_.folder != nullptr ? disk_.Open(on_disk(name).c_str(), mode) : nullptr;
  }

  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string on_disk(const char* name) const { return (*source_.folder / name).string(); }

  const Source& source_;
  const std::string_view main_;
  Assimp::DefaultIOSystem disk_;
};

/// The upper three rows of an affine transform.
struct Transform {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  /// The transform that applies `child` first, then this one.
  Transform operator*(const aiMatrix4x4& child) const {
    Transform product;
    for (int i = 0; i < 3; ++i) {
      for (unsigned j = 0; j < 4; ++j) {
        double sum = j == 3 ? rows[i][3] : 0;
        for (unsigned k = 0; k < 3; ++k) sum += rows[i][k] * child[k][j];
        product.rows[i][j] = sum;
      }
    }
    return product;
  }

  Vec3f operator*(const aiVector3D& point) const {
    const auto coordinate = [&](const std::array<double, 4>& row) {
      return row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3];
    };
    return Vec3f(Vec3d(coordinate(rows[0]), coordinate(rows[1]), coordinate(rows[2])));
  }
};

/// One primitive of one node. Points and lines have fewer than three corners and are left out.
void add_primitive(const Source& source, const aiMesh& primitive, const Transform& in_world,
                   MeshBuilder& builder) {
  if (!primitive.HasPositions()) return;
  const auto first = static_cast<std::uint32_t>(builder.vertex_count());
  for (unsigned i = 0; i < primitive.mNumVertices; ++i) {
    const Vec3f position = in_world * primitive.mVertices[i];
    if (!is_finite(position)) source.fail(not_finite(builder.vertex_count()));
    builder.add_vertex(position);
  }
  std::vector<std::uint32_t> corners;
  for (unsigned i = 0; i < primitive.mNumFaces; ++i) {
    const aiFace& face = primitive.mFaces[i];
    if (face.mNumIndices < 3) continue;
    corners.clear();
    for (unsigned j = 0; j < face.mNumIndices; ++j) {
      if (face.mIndices[j] >= primitive.mNumVertices) {
        source.fail(vertex_out_of_range(i, face.mIndices[j], primitive.mNumVertices));
      }
      corners.push_back(first + face.mIndices[j]);
    }
    builder.add_face(corners);
  }
}

Mesh read_scene(const Source& source, const aiScene& scene) {
  struct Visit {
    const aiNode* node;
    Transform parent_in_world;
  };
  MeshBuilder builder(source);
  std::vector<Visit> stack;
  if (scene.mRootNode != nullptr) stack.push_back({scene.mRootNode, {}});
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const aiNode& node = *visit.node;
    const Transform in_world = visit.parent_in_world * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      add_primitive(source, *scene.mMeshes[node.mMeshes[i]], in_world, builder);
    }
    for (unsigned i = node.mNumChildren; i-- > 0;) stack.push_back({node.mChildren[i], in_world});
  }
  return builder.finish();
}

}  // namespace

Mesh read_gltf(const Source& source) {
  // Assimp would try all its other formats on anything else.
  const std::size_t begin = source.content.find_first_not_of(" \t\r\n");
  if (!is_glb(source) && (begin == std::string_view::npos || source.content[begin] != '{')) {
    source.fail("this is neither glTF, which is JSON, nor GLB, which starts with 'glTF'");
  }

  std::string problem;
  try {
    Assimp::Importer importer;
    importer.SetIOHandler(new GltfFiles(source));
    const aiScene* const scene = importer.ReadFile(main_name(source), 0);
    if (scene != nullptr) return read_scene(source, *scene);
    problem = importer.GetErrorString();
    if (problem.find(main_name(source)) != std::string::npos) {
      problem = "it is damaged, or of a version that is not known";
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    problem = error.what();
  }
  source.fail("this is not a glTF that can be read: " + printable(problem));
}

}  // namespace detail

}  // namespace tandem

#else

namespace tandem {

bool reads_gltf() {
  return false;
}

Mesh detail::read_gltf(const Source& source) {
  source.fail(
      "this build reads no glTF; build Tandem with Assimp installed (Debian's libassimp-dev)");
}

}  // namespace tandem

#endif
