// Where meshes come from on the command line: files and built-in shapes.
#pragma once

#include <tandem/assembly.h>
#include <tandem/mesh.h>
#include <tandem/mesh_io.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "options/command_line.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// The triangles of a built-in shape when the user gives no number.
inline constexpr std::size_t k_default_triangle_count = 2000;

/// For the help of an argument that `load_mesh` reads.
inline constexpr const char* k_mesh_source_help = "a mesh file, or shape:NAME[:TRIANGLES[:SEED]]";

/// How files are read, as the user says it.
struct ReadChoices {
  std::optional<std::string> scale;
  std::optional<std::string> max_bytes;
  std::optional<std::string> max_elements;

  /// As the library takes them. Throws `tandem::Error` for what is no number.
  ReadOptions options() const;
};

/// A scale as users write it: a number above 0, or mm, cm, m, in or ft, which makes metres of that
/// unit. Throws `tandem::Error` that begins with `option`.
double parse_scale(const std::string& text, const std::string& option);

/// A length as users write it: a number of 0 or more, or one with such a unit, which makes metres
/// of it, as in 2mm. Throws `tandem::Error` that begins with `option`.
double parse_length(const std::string& text, const std::string& option);

/// --scale, --max-bytes and --max-elements.
void add_read_options(CLI::App& app, ReadChoices& choices);

/// Whether the source is a built-in shape, not a file.
bool is_shape(std::string_view source);

/// Reads a mesh file, or makes the shape that `shape:NAME[:TRIANGLES[:SEED]]` describes. (Write
/// ./shape:... for a file with such a name.) Throws `tandem::Error`.
Mesh load_mesh(const std::string& source, Reporting reporting, const ReadOptions& options = {});

/// The same with its parts apart; a shape is one part.
Assembly load_assembly(const std::string& source, Reporting reporting,
                       const ReadOptions& options = {});

/// A file format as `tandem list` shows it; `endings` are separated by spaces.
struct FormatInfo {
  std::string_view name;
  std::string_view endings;
  bool reads;
  bool writes;
};
std::span<const FormatInfo> formats();

}  // namespace tandem::cli
