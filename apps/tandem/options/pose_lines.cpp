#include "options/pose_lines.h"

#include <tandem/error.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <span>
#include <string_view>
#include <system_error>

#include "options/pose_option.h"
#include "text/json.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

/// No pose needs more bytes.
constexpr std::size_t k_longest_line = 1 << 16;

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

/// A pose as a JSON object.
Pose parse_json_pose(std::string_view line) {
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) throw Error("this is not a JSON object");
  for (const auto& [key, value] : object.items()) {
    if (key != "translation" && key != "quaternion" && key != "axis" && key != "angle" &&
        key != "matrix") {
      throw Error("a pose has no member " + in_quotes(key) +
                  "; it has translation and quaternion, or translation, axis and angle, or matrix");
    }
  }
  const bool has_quaternion = object.contains("quaternion");
  const bool has_axis = object.contains("axis") || object.contains("angle");
  if (object.contains("matrix")) {
    if (object.size() > 1) throw Error("matrix stands alone in a pose");
    return Pose::from_matrix(numbers<16>(object["matrix"], "matrix"));
  }
  if (has_quaternion && has_axis) throw Error("a pose has a quaternion or an axis, not both");
  Vec3d translation{0, 0, 0};
  if (object.contains("translation")) {
    const auto [x, y, z] = numbers<3>(object["translation"], "translation");
    translation = {x, y, z};
  }
  if (has_quaternion) {
    const auto [w, x, y, z] = numbers<4>(object["quaternion"], "quaternion");
    return Pose::from_quaternion(w, x, y, z, translation);
  }
  if (has_axis) {
    if (!object.contains("axis") || !object.contains("angle")) {
      throw Error("axis and angle go together");
    }
    const auto [x, y, z] = numbers<3>(object["axis"], "axis");
    if (!object["angle"].is_number()) throw Error("angle must be a number of degrees");
    const double degrees = object["angle"].get<double>();
    return Pose::from_axis_angle({x, y, z}, degrees / 180 * std::numbers::pi, translation);
  }
  return Pose::from_translation(translation);
}

}  // namespace

PoseLines::PoseLines(const std::string& path, const std::string& option)
    : name_(path == "-" ? "standard input" : one_line(path)),
      stream_(&std::cin),
      line_(k_longest_line) {
  if (path == "-") return;
  const auto refuse = [&](const std::string& why) {
    throw Error(option + ": " + in_quotes(path) + " cannot be read: " + why);
  };
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse("it is a directory");
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) refuse(std::generic_category().message(errno));
  stream_ = &file_;
  const auto size = std::filesystem::file_size(path, error);
  if (!error) size_ = size;
}

std::optional<Pose> PoseLines::next() {
  while (true) {
    stream_->getline(line_.data(), static_cast<std::streamsize>(line_.size()));
    const auto length = static_cast<std::size_t>(stream_->gcount());
    if (stream_->bad()) throw Error(name_ + " cannot be read to its end");
    if (stream_->eof() && length == 0) return std::nullopt;
    ++line_number_;
    bytes_done_ += length;
    const auto here = [&] { return name_ + ", line " + std::to_string(line_number_) + ": "; };
    if (stream_->fail()) {
      throw Error(here() + "it is longer than " + std::to_string(line_.size() - 1) + " bytes");
    }
    std::string_view line(line_.data(), stream_->eof() ? length : length - 1);
    const std::size_t first = line.find_first_not_of(" \t\r\v\f");
    if (first == line.npos || line[first] == '#') continue;
    line.remove_prefix(first);
    try {
      return line[0] == '{' ? parse_json_pose(line) : parse_pose_line(line);
    } catch (const Error& error) {
      throw Error(here() + error.what());
    }
  }
}

std::optional<double> PoseLines::share_done() const {
  if (size_ == 0) return std::nullopt;
  return static_cast<double>(bytes_done_) / static_cast<double>(size_);
}

}  // namespace tandem::cli
