// tandem batch: two models, many poses.
#include <tandem/batch.h>
#include <tandem/distance.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "commands/two_models.h"
#include "devices/device_queries.h"
#include "options/mesh_source.h"
#include "options/pose_lines.h"
#include "options/shared_options.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Examples (each runs as it stands):
  printf '0 0 0\n1 0 0 axis z angle 90\n9 0 0\n' > poses.txt
  tandem batch shape:knot shape:torus --poses poses.txt
  tandem batch shape:knot shape:torus --poses poses.txt --json rows.json --pairs pairs.txt
  tandem batch shape:knot shape:torus --poses poses.txt --distance --json distances.json
  seq 0 0.001 3 | sed 's/$/ 0 0/' | tandem batch shape:knot shape:box --poses - --first)";

struct BatchCommandOptions {
  std::string a;
  std::string b;
  std::string poses;
  ReadChoices reading;
  std::optional<std::string> json_file;
  std::optional<std::string> pairs_file;
  std::optional<std::string> threads;
  DeviceChoice device;
  bool first = false;
  bool distance = false;
  bool exit_code = false;
  bool quiet = false;
};

/// What all poses together gave.
struct BatchSum {
  std::uint64_t poses = 0;
  std::uint64_t touching = 0;
  std::uint64_t pairs = 0;
  /// With --distance.
  double least_distance = std::numeric_limits<double>::infinity();
  double query_s = 0;
};

/// Runs pose after pose through two models, some at a time, and writes what they give in their
/// order. However many poses there are, only some of them and of their pairs are in memory.
class PoseStream {
 public:
  /// On a device when models there are given.
  PoseStream(const BatchCommandOptions& options, const Model& a, const Model& b,
             DevicePair* on_device, PoseLines& lines)
      : options_(options), a_(a), b_(b), on_device_(on_device), lines_(lines) {
    batch_.threads = thread_count(options.threads);
  }

  const BatchSum& sum() const { return sum_; }

  /// Until the last pose, or until a line is none: then what came before it is written, and the
  /// error is kept.
  void run(TextBuffer* rows, TextBuffer* pairs, const Progress& progress) {
    const char* separator = "[\n";
    while (!error_ && read_some()) {
      answer_some();
      for (std::size_t i = 0; i < poses_.size(); ++i) {
        if (rows != nullptr) {
          write_row(*rows, separator, i);
          separator = ",\n";
        }
        if (pairs != nullptr) write_pairs(*pairs, i);
      }
      sum_.poses += poses_.size();
      const std::optional<double> share = lines_.share_done();
      if (progress && share) progress(*share);
    }
    if (rows != nullptr) *rows << (sum_.poses == 0 ? "[" : "\n") << "]\n";
  }

  /// The error that ended the stream, if there was one.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::size_t k_most_poses = 1 << 14;
  static constexpr std::size_t k_most_on_device = 1 << 18;
  static constexpr std::uint64_t k_most_pairs = 1 << 22;

  /// As many poses as should have no more pairs than there is room for, judged by those so far.
  bool read_some() {
    poses_.clear();
    line_numbers_.clear();
    std::uint64_t most = on_device_ != nullptr ? k_most_on_device : k_most_poses;
    if (options_.pairs_file) {
      const std::uint64_t each = sum_.poses == 0 ? k_most_pairs / 64 : sum_.pairs / sum_.poses + 1;
      most = std::clamp<std::uint64_t>(k_most_pairs / each, 1, most);
    }
    try {
      while (poses_.size() < most) {
        const std::optional<Pose> pose = lines_.next();
        if (!pose) break;
        poses_.push_back(*pose);
        line_numbers_.push_back(lines_.line_number());
      }
    } catch (const Error&) {
      error_ = std::current_exception();
    }
    return !poses_.empty();
  }

  void answer_some() {
    const Stopwatch stopwatch;
    if (options_.distance) {
      distances_ = on_device_ != nullptr
                       ? on_device_->distance(poses_, std::numeric_limits<double>::infinity())
                       : distance_batch(a_, b_, poses_, {.threads = batch_.threads});
    } else if (options_.first) {
      bits_ = on_device_ != nullptr ? on_device_->intersects(poses_)
                                    : intersects_batch(a_, b_, poses_, batch_);
    } else if (options_.pairs_file) {
      found_ = on_device_ != nullptr ? on_device_->collide(poses_)
                                     : collide_batch(a_, b_, poses_, batch_);
    } else {
      counts_ =
          on_device_ != nullptr ? on_device_->count(poses_) : count_batch(a_, b_, poses_, batch_);
    }
    sum_.query_s += stopwatch.seconds();
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      sum_.touching += touches(i) ? 1 : 0;
      if (options_.distance) {
        sum_.least_distance = std::min(sum_.least_distance, distances_[i].distance);
      } else if (!options_.first) {
        sum_.pairs += pair_count(i);
      }
    }
  }

  std::uint64_t pair_count(std::size_t i) const {
    return options_.pairs_file ? found_.count(i) : counts_[i];
  }
  bool touches(std::size_t i) const {
    if (options_.distance) return distances_[i].distance == 0;
    return options_.first ? bits_[i] : pair_count(i) > 0;
  }

  void write_row(TextBuffer& rows, const char* separator, std::size_t i) const {
    rows << separator << "{\"pose\": " << std::to_string(sum_.poses + i)
         << ", \"line\": " << std::to_string(line_numbers_[i])
         << ", \"touching\": " << (touches(i) ? "true" : "false");
    if (options_.distance) {
      write_distance(rows, distances_[i]);
    } else if (!options_.first) {
      rows << ", \"pairs\": " << std::to_string(pair_count(i));
    }
    rows << "}";
  }

  /// Points are in A's frame, as the poses are.
  static void write_distance(TextBuffer& rows, const DistanceResult& result) {
    if (!result.pair) {
      rows << ", \"distance\": null";
      return;
    }
    rows << ", \"distance\": " << shortest(result.distance) << ", \"pair\": ["
         << std::to_string(result.pair->a) << ", " << std::to_string(result.pair->b)
         << "], \"points\": [[" << coordinates(result.on_a) << "], [" << coordinates(result.on_b)
         << "]]";
  }

  void write_pairs(TextBuffer& pairs, std::size_t i) const {
    const std::string begin = std::to_string(sum_.poses + i) + " ";
    for (const TrianglePair& pair : found_.pairs_of(i)) {
      pairs << begin << std::to_string(pair.a) << " " << std::to_string(pair.b) << "\n";
    }
  }

  const BatchCommandOptions& options_;
  const Model& a_;
  const Model& b_;
  DevicePair* on_device_;
  PoseLines& lines_;
  BatchOptions batch_;
  BatchSum sum_;
  std::exception_ptr error_;
  std::vector<Pose> poses_;
  std::vector<std::uint64_t> line_numbers_;
  BatchBits bits_{0};
  BatchResult found_;
  std::vector<std::uint64_t> counts_;
  std::vector<DistanceResult> distances_;
};

void check_options(const BatchCommandOptions& options) {
  if (options.first && options.pairs_file) {
    throw Error("--first and --pairs exclude each other: choose one of them");
  }
  if (options.distance && (options.first || options.pairs_file)) {
    throw Error("--distance excludes --first and --pairs: choose one of them");
  }
  if (options.json_file == "-" && options.pairs_file == "-") {
    throw Error("--json - and --pairs - both want standard output: give one a file name");
  }
  if (options.poses == "-" && (options.a == "-" || options.b == "-")) {
    throw Error("--poses - and a mesh both want standard input: give one a file name");
  }
  std::vector<NamedFile> outputs;
  if (options.json_file && *options.json_file != "-")
    outputs.push_back({"--json", *options.json_file});
  if (options.pairs_file && *options.pairs_file != "-") {
    outputs.push_back({"--pairs", *options.pairs_file});
  }
  check_files(outputs, {{"A", options.a}, {"B", options.b}, {"--poses", options.poses}});
}

void report(const BatchCommandOptions& options, const Model& a, const Model& b,
            const BatchSum& sum) {
  if (options.json_file == "-" || options.pairs_file == "-") return;
  std::string text = two_models_text(options.a, a, options.b, b);
  text += counted(sum.poses, "pose", "poses") + ", of which " + grouped(sum.touching) +
          (sum.touching == 1 ? " touches" : " touch");
  if (options.distance && std::isfinite(sum.least_distance)) {
    text += "; the least distance is " + shortest(sum.least_distance);
  } else if (!options.distance && !options.first) {
    text += ", with " + counted(sum.pairs, "pair", "pairs");
  }
  text += "\nanswered in " + duration(sum.query_s);
  if (sum.query_s > 0 && sum.poses > 0) {
    text += ", " + rounded(static_cast<double>(sum.poses) / sum.query_s) + " poses per second";
  }
  text += "\n";
  for (const auto& file : {options.json_file, options.pairs_file}) {
    if (file) text += "wrote " + one_line(*file) + "\n";
  }
  print(text);
}

int run(const BatchCommandOptions& options) {
  check_options(options);
  const std::optional<DeviceMethod> device = device_method(options.device);
  PoseLines lines(options.poses, "--poses");
  const Reporting reporting = cli::reporting(options.quiet);
  const auto make = [&](const std::string& source, const char* label) {
    Mesh mesh = load_mesh(source, reporting, options.reading.options());
    const BuildOptions build{.threads = thread_count(options.threads)};
    return build_model(std::move(mesh), build, label, reporting);
  };
  const Model a = make(options.a, "building A");
  const Model b = options.a == options.b ? a : make(options.b, "building B");

  std::optional<DevicePair> on_device;
  if (device) on_device.emplace(a, b, *device);
  PoseStream stream(options, a, b, on_device ? &*on_device : nullptr, lines);
  {
    ProgressBar bar("searching", reporting);
    const Progress progress = bar.callback();
    with_text_file(options.json_file, [&](TextBuffer* rows) {
      with_text_file(options.pairs_file,
                     [&](TextBuffer* pairs) { stream.run(rows, pairs, progress); });
    });
  }
  report(options, a, b, stream.sum());
  stream.rethrow();
  return options.exit_code && stream.sum().touching > 0 ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_batch(CLI::App& program) {
  const auto options = std::make_shared<BatchCommandOptions>();
  CLI::App* const app = add_command(
      program, "batch", "Find out for each of many poses whether, or how much, A and B touch");
  add_argument(*app, "A", options->a, k_mesh_source_help, Need::required);
  add_argument(*app, "B", options->b, "the same; tandem list shows the shapes and file formats",
               Need::required);
  add_value(*app, "--poses", options->poses, "FILE",
            "the poses of B in A's frame, one per line (see below); - is\nstandard input",
            Need::required);
  add_flag(*app, "--first", options->first, "only whether they touch, which takes least time");
  add_flag(*app, "--distance", options->distance,
           "how far apart they are, and where they are closest");
  add_value(*app, "--json", options->json_file, "FILE",
            "write a row for each pose, in their order: a JSON list with one\n"
            "object per line; - is standard output and silences the report");
  add_value(*app, "--pairs", options->pairs_file, "FILE",
            "write all pairs: 'pose triangle_of_a triangle_of_b' per line, all\n"
            "counted from 0; - is standard output and silences the report");
  add_threads(*app, options->threads);
  add_device_choice(*app, options->device);
  add_flag(*app, "--exit-code", options->exit_code, "exit with 1 when any touch (errors: 2)");
  add_read_options(*app, options->reading);
  add_quiet_flag(*app, options->quiet);
  set_footer(
      *app,
      std::string(k_pose_lines_help) +
          "\nMillions of poses need no more memory than a few. When a line is no pose, what came\n"
          "before it is written, and the line is named.\n" +
          k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
