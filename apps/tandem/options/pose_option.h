// Poses on the command line.
#pragma once

#include <tandem/pose.h>

#include <string>
#include <string_view>

namespace tandem::cli {

/// How a pose is written, for the help.
inline constexpr const char* k_pose_help =
    R"(Poses: a body is turned first, then moved. POSE is one of
  "X Y Z"                                move
  "X Y Z axis AX AY AZ angle DEGREES"    turn around an axis, then move
  "X Y Z quat W QX QY QZ"                turn by a quaternion, then move
  FILE                                   a 4x4 matrix, row by row: 16 numbers; # starts a comment
Commas work like spaces (1,2,3 needs no quotes); X Y Z may be left out before a turn; an axis may
be called x, y or z; an angle may end in rad. Quarter turns around x, y or z are exact.)";

/// The pose that `text` describes. Throws `tandem::Error` that begins with `option` for bad text, a
/// missing file or a matrix that is not rigid.
///
/// Text is a file name when there is such a file, or when its first word is neither a number nor
/// `axis` nor `quat`.
Pose parse_pose(const std::string& text, std::string_view option);

/// Turns around an axis, then moves. Whole quarter turns around x, y or z are exact. Throws
/// `tandem::Error`.
Pose turned_by_degrees(const Vec3d& axis, double degrees, const Vec3d& translation);

/// The pose that a line of a file describes: as on the command line, or the 16 numbers of a 4x4
/// matrix, row by row. Throws `tandem::Error`.
Pose parse_pose_line(std::string_view line);

}  // namespace tandem::cli
