// Files with one pose per line, read line by line.
#pragma once

#include <tandem/pose.h>

#include <cstdint>
#include <optional>
#include <string>

#include "options/line_reader.h"

namespace tandem::cli {

/// What a line may be, for the help.
inline constexpr const char* k_pose_lines_help =
    R"(Poses, one per line: B in A's frame. A line is
  X Y Z [axis AX AY AZ angle DEGREES | quat W QX QY QZ]      as on the command line of collide
  16 numbers                                                 a 4x4 matrix, row by row
  {"translation": [X, Y, Z], "quaternion": [W, X, Y, Z]}     JSON, either may be left out
  {"translation": [X, Y, Z], "axis": [X, Y, Z], "angle": DEGREES}
  {"matrix": [16 numbers]}
Empty lines and lines that begin with # are skipped.)";

/// Reads the poses of a file, or of standard input for "-", one after another. Holds one line at a
/// time.
class PoseLines {
 public:
  /// Throws `tandem::Error` that begins with `option` when the file cannot be read.
  PoseLines(const std::string& path, const std::string& option);

  /// The next pose, or nothing at the end. Throws `tandem::Error` that names the line for what is
  /// no pose.
  std::optional<Pose> next();

  /// The number of the line that the last pose was on, counted from 1.
  std::uint64_t line_number() const { return lines_.line_number(); }
  /// The share of the file that has been read; nothing where its length is not known.
  std::optional<double> share_done() const { return lines_.share_done(); }

 private:
  LineReader lines_;
};

}  // namespace tandem::cli
