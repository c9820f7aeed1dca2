// Meshes from files and to files.
#pragma once

#include <tandem/export.h>
#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace tandem {

enum class MeshFormat { obj, ply, stl, off, gltf };

/// The format that a file name's ending stands for (.obj .ply .stl .off .gltf .glb, any case).
/// Throws `tandem::Error` for any other.
TANDEM_API MeshFormat mesh_format(const std::filesystem::path& path);

/// How much a reader takes before it gives up with `tandem::Error`, and what is done with the
/// vertices. Reading needs memory in proportion to the bytes and to the elements.
struct ReadOptions {
  /// Bytes of the file, together with the buffers beside it that a glTF refers to.
  std::uint64_t max_bytes = std::uint64_t{8} << 30;
  /// Vertices and triangles, each. 0 stands for as many as a mesh holds; but in a glTF, where many
  /// nodes may show one mesh, for a million and 64 for each byte.
  std::size_t max_elements = 0;
  /// Vertices become `pose * (scale * vertex)`: they are read as without these two, then each
  /// coordinate is computed in double and rounded once. One that leaves the range of float32 is an
  /// error that names the vertex. The scale is positive and finite: 0.001 makes metres of
  /// millimetres.
  double scale = 1;
  Pose pose = {};
};

/// Reads a mesh; the ending says the format, text or binary is found out from the content. Only
/// regular files are read, so that neither a device without end nor a pipe without a writer is.
///
/// Triangles keep their order in the file, polygons are fanned from their first corner, coordinates
/// become the nearest float32. STL triangles keep three vertices of their own. glTF primitives come
/// in the order in which the default scene's nodes are visited depth first, moved by their nodes'
/// transforms. Throws `tandem::Error` with the file, the place in it and what is wrong there.
TANDEM_API Mesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads a mesh from memory; `name` stands for the file in error messages. glTF must be
/// self-contained (GLB or data URIs).
TANDEM_API Mesh read_mesh(std::span<const std::byte> content, MeshFormat format,
                          std::string_view name, const ReadOptions& options = {});

/// True when this build of the library reads glTF.
TANDEM_API bool reads_gltf();

/// Writes PLY (binary little-endian), OBJ or STL (binary), by the file name's ending. Reading PLY
/// and OBJ back gives the same mesh to the bit. STL has no shared vertices: reading it back gives
/// the same triangles to the bit, each with three vertices of its own. The file appears under its
/// name only when it is complete. Throws `tandem::Error` for another ending or when it cannot be
/// written.
TANDEM_API void write_mesh(const Mesh& mesh, const std::filesystem::path& path);

}  // namespace tandem
