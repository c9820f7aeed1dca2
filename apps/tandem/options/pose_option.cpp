#include "options/pose_option.h"

#include <tandem/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "options/real_number.h"
#include "text/input.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr std::string_view k_separators = " \t\r\n\v\f,";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(k_separators);
    if (begin == text.npos) return words;
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(k_separators)));
    text.remove_prefix(words.back().size());
  }
}

// Whole quarter turns around a coordinate axis, exactly. Floating-point sines and cosines would be
// off by a rounding error. Nothing for other turns.
std::optional<Pose> quarter_turn(const Vec3d& axis, double degrees, const Vec3d& translation) {
  const int along = axis.x != 0 ? 0 : axis.y != 0 ? 1 : 2;
  const int next = (along + 1) % 3;
  const int last = (along + 2) % 3;
  if (axis[along] == 0 || axis[next] != 0 || axis[last] != 0) return std::nullopt;
  const double quarters = std::fmod(degrees, 360) / 90;
  if (quarters != std::trunc(quarters)) return std::nullopt;
  const int quarter = (static_cast<int>(quarters) * (axis[along] > 0 ? 1 : -1) + 4) % 4;
  constexpr double k_sine[] = {0, 1, 0, -1};
  const double sine = k_sine[quarter];
  const double cosine = k_sine[(quarter + 1) % 4];
  std::array<double, 9> rows{};
  rows[3 * along + along] = 1;
  rows[3 * next + next] = cosine;
  rows[3 * next + last] = -sine;
  rows[3 * last + next] = sine;
  rows[3 * last + last] = cosine;
  return Pose::from_rotation(rows, translation);
}

// Reads "X Y Z", "X Y Z axis AX AY AZ angle DEGREES", "X Y Z quat W QX QY QZ" word by word.
class InlinePose {
 public:
  explicit InlinePose(std::string_view text) : words_(split(text)) {}

  bool begins_like_a_pose() const {
    return !words_.empty() && (begins_with_number() || words_[0] == "axis" || words_[0] == "quat");
  }

  Pose parse() {
    Vec3d translation{0, 0, 0};
    if (begins_with_number()) translation = vector("the move");
    Pose pose = Pose::from_translation(translation);
    if (take("axis")) {
      pose = turned_around_axis(translation);
    } else if (take("quat")) {
      const double w = value("quat", "four numbers");
      const Vec3d xyz = vector("quat");
      pose = Pose::from_quaternion(w, xyz.x, xyz.y, xyz.z, translation);
    }
    if (at_ < words_.size()) {
      throw Error(in_quotes(words_[at_]) + " is not understood there; write \"X Y Z\", then " +
                  "\"axis AX AY AZ angle DEGREES\" or \"quat W QX QY QZ\" if it is turned");
    }
    return pose;
  }

 private:
  bool take(std::string_view word) {
    if (at_ == words_.size() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  bool begins_with_number() const { return parse_real(words_[0]).is_written_like_one; }

  double value(const char* of, const char* needs) {
    const bool is_there = at_ < words_.size();
    const RealNumber found = is_there ? parse_real(words_[at_]) : RealNumber{};
    if (!found.is_written_like_one) {
      throw Error(std::string(of) + " needs " + needs + ", not " +
                  (is_there ? in_quotes(words_[at_]) : "the end of the text"));
    }
    if (found.fault != nullptr) {
      throw Error(std::string(of) + ": " + in_quotes(words_[at_]) + " " + found.fault);
    }
    ++at_;
    return found.value;
  }

  Vec3d vector(const char* of) {
    const double x = value(of, "three numbers X Y Z");
    const double y = value(of, "three numbers X Y Z");
    const double z = value(of, "three numbers X Y Z");
    return {x, y, z};
  }

  Pose turned_around_axis(const Vec3d& translation) {
    const Vec3d axis = take("x")   ? Vec3d{1, 0, 0}
                       : take("y") ? Vec3d{0, 1, 0}
                       : take("z") ? Vec3d{0, 0, 1}
                                   : vector("axis");
    if (!take("angle")) throw Error("after the axis comes the word angle, then the degrees");
    // The unit may be joined to the number. It is given once: what else follows is an error.
    std::string_view joined;
    if (at_ < words_.size() && words_[at_].size() > 3) {
      std::string_view& word = words_[at_];
      for (const std::string_view unit : {"rad", "deg"}) {
        if (word.ends_with(unit)) joined = unit;
      }
      word.remove_suffix(joined.size());
    }
    const double angle = value("angle", "a number");
    const bool radians = joined.empty() ? take("rad") : joined == "rad";
    if (joined.empty() && !radians) take("deg");
    if (radians) return Pose::from_axis_angle(axis, angle, translation);
    return turned_by_degrees(axis, angle, translation);
  }

  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

// A file of one matrix is small.
constexpr std::size_t k_largest_pose_file = 1 << 16;

Pose pose_of_matrix(const std::vector<double>& entries) {
  if (entries.size() != 16) {
    throw Error("a 4x4 matrix has 16 numbers, there are " + std::to_string(entries.size()));
  }
  return Pose::from_matrix(std::span<const double, 16>(entries));
}

Pose read_pose_file(const std::string& path) {
  const std::string content = read_input(path, k_largest_pose_file);
  std::vector<double> entries;
  std::string_view rest = content;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line = line.substr(0, line.find('#'));
    for (const std::string_view word : split(line)) {
      const auto here = "line " + std::to_string(line_number) + ": ";
      const RealNumber entry = parse_real(word);
      if (entry.fault != nullptr) {
        throw Error(here + in_quotes(word.substr(0, 60)) + " " + entry.fault);
      }
      if (entries.size() == 16) throw Error(here + "a 4x4 matrix ends after 16 numbers");
      entries.push_back(entry.value);
    }
  }
  return pose_of_matrix(entries);
}

}  // namespace

Pose turned_by_degrees(const Vec3d& axis, double degrees, const Vec3d& translation) {
  if (const auto exact = quarter_turn(axis, degrees, translation)) return *exact;
  return Pose::from_axis_angle(axis, degrees / 180 * std::numbers::pi, translation);
}

Pose parse_pose_line(std::string_view line) {
  const std::vector<std::string_view> words = split(line);
  if (words.size() <= 3 || !parse_real(words[3]).is_written_like_one ||
      !parse_real(words[0]).is_written_like_one) {
    InlinePose pose(line);
    if (!pose.begins_like_a_pose()) {
      throw Error(in_quotes(line) + " is not a pose such as \"1 2 3 axis 0 0 1 angle 90\"");
    }
    return pose.parse();
  }
  std::vector<double> entries;
  for (const std::string_view word : words) {
    const RealNumber entry = parse_real(word);
    if (entry.fault != nullptr) throw Error(in_quotes(word) + " " + entry.fault);
    entries.push_back(entry.value);
  }
  return pose_of_matrix(entries);
}

Pose parse_pose(const std::string& text, std::string_view option) {
  const std::string begin = std::string(option) + " " + in_quotes(text) + ": ";
  std::error_code ignored;
  const bool file_exists = std::filesystem::exists(text, ignored);
  InlinePose pose(text);
  try {
    if (!file_exists && pose.begins_like_a_pose()) return pose.parse();
    if (!file_exists) {
      throw Error(
          "there is no such file, and this is not a pose such as \"1 2 3 axis 0 0 1 angle 90\"");
    }
    return read_pose_file(text);
  } catch (const Error& error) {
    throw Error(begin + error.what());
  }
}

}  // namespace tandem::cli
