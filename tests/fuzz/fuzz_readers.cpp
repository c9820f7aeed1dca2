// A reader on any bytes; TANDEM_FUZZ_FORMAT is its format. The result is a mesh or a tandem::Error
// of one clean line; a mesh that is written and read again stays the same. The parts of an assembly
// have the triangles of the mesh.
#include <stdlib.h>
#include <tandem/assembly.h>
#include <tandem/error.h>
#include <tandem/mesh_io.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using tandem::Assembly;
using tandem::Mesh;
using tandem::MeshFormat;

void require(bool condition) {
  if (!condition) std::abort();
}

/// Made once, removed at the end of the process.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tandem_fuzz_XXXXXX").string();
    require(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void check_round_trip(const Mesh& mesh) {
  static const Folder folder;
  for (const char* name : {"mesh.ply", "mesh.obj"}) {
    const std::filesystem::path path = folder.path() / name;
    tandem::write_mesh(mesh, path);
    const Mesh again = tandem::read_mesh(path);
    require(same_bytes(again.vertices(), mesh.vertices()));
    require(same_bytes(again.triangles(), mesh.triangles()));
  }
}

/// What the call reads, or nothing and a sentence that says why.
template <class Call>
auto read(Call call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const tandem::Error& error) {
    const std::string_view message = error.what();
    require(message.starts_with("fuzz: ") && message.size() < 300);
    for (const char c : message) require(c >= 0x20 && c < 0x7f);
    return std::nullopt;
  }
}

/// Names do not repeat, and the parts have the triangles of the mesh, each once.
void check_parts(const Assembly& assembly, std::size_t triangle_count) {
  std::set<std::string> names;
  std::vector<bool> seen(triangle_count);
  std::size_t seen_count = 0;
  for (std::size_t part = 0; part < assembly.parts.size(); ++part) {
    require(names.insert(assembly.parts[part].name).second);
    const Mesh& mesh = assembly.meshes.at(assembly.parts[part].mesh);
    require(!mesh.empty());
    for (std::size_t triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
      const std::uint64_t id = assembly.file_triangle(part, triangle);
      require(id < triangle_count && !seen[id]);
      seen[id] = true;
      ++seen_count;
    }
  }
  require(seen_count == triangle_count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto content = std::as_bytes(std::span(data, size));
  const std::optional<Mesh> mesh =
      read([&] { return tandem::read_mesh(content, MeshFormat::TANDEM_FUZZ_FORMAT, "fuzz"); });
  const std::optional<Assembly> assembly =
      read([&] { return tandem::read_assembly(content, MeshFormat::TANDEM_FUZZ_FORMAT, "fuzz"); });
  if (mesh) check_round_trip(*mesh);
  if (mesh && assembly) {
    check_parts(*assembly, mesh->triangle_count());
    check_parts(tandem::split_components(*assembly), mesh->triangle_count());
  }
  return 0;
}
