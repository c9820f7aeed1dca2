// A reader on any bytes; TANDEM_FUZZ_FORMAT is its format. The result is a mesh or a tandem::Error
// of one clean line; a mesh that is written and read again stays the same.
#include <stdlib.h>
#include <tandem/error.h>
#include <tandem/mesh_io.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace {

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto content = std::as_bytes(std::span(data, size));
  Mesh mesh;
  try {
    mesh = tandem::read_mesh(content, MeshFormat::TANDEM_FUZZ_FORMAT, "fuzz");
  } catch (const tandem::Error& error) {
    const std::string_view message = error.what();
    require(message.starts_with("fuzz: ") && message.size() < 300);
    for (const char c : message) require(c >= 0x20 && c < 0x7f);
    return 0;
  }
  check_round_trip(mesh);
  return 0;
}
