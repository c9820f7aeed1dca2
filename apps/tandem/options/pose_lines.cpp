#include "options/pose_lines.h"

#include <tandem/error.h>

#include "options/json_pose.h"
#include "options/pose_option.h"

namespace tandem::cli {

namespace {

/// No pose needs more bytes.
constexpr std::size_t k_longest_line = 1 << 16;

Pose parse_line(std::string_view line) {
  if (line[0] != '{') return parse_pose_line(line);
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) throw Error("this is not a JSON object");
  return parse_json_pose(object);
}

}  // namespace

PoseLines::PoseLines(const std::string& path, const std::string& option)
    : lines_(path, option, k_longest_line) {}

std::optional<Pose> PoseLines::next() {
  const std::optional<std::string_view> line = lines_.next();
  if (!line) return std::nullopt;
  try {
    return parse_line(*line);
  } catch (const Error& error) {
    lines_.fail(error.what());
  }
}

}  // namespace tandem::cli
