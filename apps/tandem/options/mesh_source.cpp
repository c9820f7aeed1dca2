#include "options/mesh_source.h"

#include <tandem/error.h>
#include <tandem/shapes.h>

#include <filesystem>
#include <limits>
#include <vector>

#include "options/real_number.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr std::string_view k_shape_prefix = "shape:";

// Reading a file of this size takes about half a second.
constexpr std::uintmax_t k_long_file_bytes = 32 << 20;

std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t colon; (colon = text.find(':')) != text.npos; text.remove_prefix(colon + 1)) {
    parts.push_back(text.substr(0, colon));
  }
  parts.push_back(text);
  return parts;
}

Mesh make_shape_from(const std::string& source) {
  const auto parts = split_at_colons(std::string_view(source).substr(k_shape_prefix.size()));
  const auto number = [&](std::size_t part, const char* what, std::uint64_t otherwise) {
    return part < parts.size() ? whole_number(parts[part], what) : otherwise;
  };
  try {
    if (parts.size() > 3) throw Error("too many parts; write shape:NAME[:TRIANGLES[:SEED]]");
    return make_shape(parts[0], number(1, "the number of triangles", k_default_triangle_count),
                      number(2, "the seed", 1));
  } catch (const Error& error) {
    throw Error(in_quotes(source) + ": " + error.what());
  }
}

/// A number of bytes; K, M and G stand for 2^10, 2^20 and 2^30 of them.
std::uint64_t byte_count(std::string_view text, const std::string& option) {
  int shift = 0;
  if (text.ends_with('K')) shift = 10;
  if (text.ends_with('M')) shift = 20;
  if (text.ends_with('G')) shift = 30;
  const std::string_view digits = shift > 0 ? text.substr(0, text.size() - 1) : text;
  const std::uint64_t count = whole_number(digits, option);
  if (count > std::numeric_limits<std::uint64_t>::max() >> shift) {
    throw Error(option + " must be below 2^64 bytes, not " + in_quotes(text));
  }
  return count << shift;
}

/// What makes metres of a unit; nothing for a name that is none.
std::optional<double> metres_in(std::string_view unit) {
  if (unit == "mm") return 0.001;
  if (unit == "cm") return 0.01;
  if (unit == "m") return 1;
  if (unit == "in") return 0.0254;
  if (unit == "ft") return 0.3048;
  return std::nullopt;
}

/// Calls `read` and says so meanwhile where it takes long.
template <class Read>
auto read_with_label(const std::string& source, Reporting reporting, Read read) {
  ProgressBar bar("reading " + one_line(source), reporting);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(source, error);
  if (!error && size >= k_long_file_bytes) bar.show_label();
  return read();
}

}  // namespace

double parse_scale(const std::string& text, const std::string& option) {
  if (const std::optional<double> metres = metres_in(text)) return *metres;
  const RealNumber number = parse_real(text);
  if (number.fault == nullptr && number.value > 0) return number.value;
  throw Error(option + " must be a number above 0 or one of mm, cm, m, in and ft, not " +
              in_quotes(text));
}

double parse_length(const std::string& text, const std::string& option) {
  const std::size_t end = std::string_view(text).find_last_of("0123456789.");
  const std::size_t digits = end == std::string::npos ? 0 : end + 1;
  const RealNumber number = parse_real(std::string_view(text).substr(0, digits));
  const std::optional<double> metres =
      digits == text.size() ? 1 : metres_in(std::string_view(text).substr(digits));
  if (number.fault == nullptr && number.value >= 0 && metres) return number.value * *metres;
  throw Error(option + " must be a number of 0 or more, with or without mm, cm, m, in or ft, not " +
              in_quotes(text));
}

ReadOptions ReadChoices::options() const {
  ReadOptions options;
  if (scale) options.scale = parse_scale(*scale, "--scale");
  if (max_bytes) options.max_bytes = byte_count(*max_bytes, "--max-bytes");
  if (max_elements) options.max_elements = whole_number(*max_elements, "--max-elements");
  return options;
}

void add_read_options(CLI::App& app, ReadChoices& choices) {
  add_value(app, "--scale", choices.scale, "X",
            "multiply the coordinates of files by X; mm, cm, m, in or ft make\n"
            "metres of that unit. Built-in shapes stay as they are");
  add_value(app, "--max-bytes", choices.max_bytes, "N",
            "the most that is read of a file, such as 500M (default 8G)");
  add_value(app, "--max-elements", choices.max_elements, "N",
            "the most vertices or triangles that a file may have\n"
            "(default: what a mesh holds; for glTF a million and 64 per byte)");
}

bool is_shape(std::string_view source) {
  return source.starts_with(k_shape_prefix);
}

Mesh load_mesh(const std::string& source, Reporting reporting, const ReadOptions& options) {
  if (is_shape(source)) return make_shape_from(source);
  return read_with_label(source, reporting, [&] { return read_mesh(source, options); });
}

Assembly load_assembly(const std::string& source, Reporting reporting, const ReadOptions& options) {
  if (!is_shape(source)) {
    return read_with_label(source, reporting, [&] { return read_assembly(source, options); });
  }
  Assembly assembly;
  assembly.meshes.push_back(make_shape_from(source));
  assembly.parts.push_back({.name = source});
  return assembly;
}

std::span<const FormatInfo> formats() {
  static const FormatInfo k_formats[] = {
      {"OBJ", ".obj", true, true},
      {"PLY", ".ply", true, true},
      {"STL", ".stl", true, true},
      {"OFF", ".off", true, false},
      {"glTF", ".gltf .glb", reads_gltf(), false},
  };
  return k_formats;
}

}  // namespace tandem::cli
