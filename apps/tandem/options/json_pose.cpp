#include "options/json_pose.h"

#include <tandem/error.h>

#include <array>
#include <string>

#include "options/pose_option.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

/// The numbers of a member that must have `count` of them.
template <std::size_t count>
std::array<double, count> numbers(const Json& member, const char* name) {
  std::array<double, count> result{};
  bool right = member.is_array() && member.size() == count;
  for (std::size_t i = 0; right && i < count; ++i) {
    right = member[i].is_number();
    if (right) result[i] = member[i].get<double>();
  }
  if (!right) {
    throw Error(std::string(name) + " must be a list of " + std::to_string(count) + " numbers");
  }
  return result;
}

}  // namespace

Pose parse_json_pose(const Json& value) {
  if (value.is_string()) return parse_pose_line(value.get<std::string>());
  if (!value.is_object()) throw Error("a pose is a text in quotes or an object in braces");
  for (const auto& [key, member] : value.items()) {
    if (key != "translation" && key != "quaternion" && key != "axis" && key != "angle" &&
        key != "matrix") {
      throw Error("a pose has no member " + in_quotes(key) +
                  "; it has translation and quaternion, or translation, axis and angle, or matrix");
    }
  }
  const bool has_quaternion = value.contains("quaternion");
  const bool has_axis = value.contains("axis") || value.contains("angle");
  if (value.contains("matrix")) {
    if (value.size() > 1) throw Error("matrix stands alone in a pose");
    return Pose::from_matrix(numbers<16>(value["matrix"], "matrix"));
  }
  if (has_quaternion && has_axis) throw Error("a pose has a quaternion or an axis, not both");
  Vec3d translation{0, 0, 0};
  if (value.contains("translation")) {
    const auto [x, y, z] = numbers<3>(value["translation"], "translation");
    translation = {x, y, z};
  }
  if (has_quaternion) {
    const auto [w, x, y, z] = numbers<4>(value["quaternion"], "quaternion");
    return Pose::from_quaternion(w, x, y, z, translation);
  }
  if (has_axis) {
    if (!value.contains("axis") || !value.contains("angle")) {
      throw Error("axis and angle go together");
    }
    const auto [x, y, z] = numbers<3>(value["axis"], "axis");
    if (!value["angle"].is_number()) throw Error("angle must be a number of degrees");
    return turned_by_degrees({x, y, z}, value["angle"].get<double>(), translation);
  }
  return Pose::from_translation(translation);
}

}  // namespace tandem::cli
