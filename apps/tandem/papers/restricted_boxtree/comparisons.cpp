// Build times, and variants of hierarchies and tests on the tumble protocol.
#include <algorithm>
#include <cmath>

#include "options/named_choices.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"

namespace tandem::cli::restricted_boxtree {

namespace {

using tumble::Combination;

// Beyond these distances most objects of side 2 no longer meet.
const std::vector<double> k_distances = {0.4, 0.7, 1, 1.3, 1.6, 1.9, 2.2};
const std::vector<double> k_quick_distances = {0.6, 1.4};
// Those that occur in practice: the objects touch, but are not inside each other.
const std::vector<double> k_practical_distances = {0.8, 1.2, 1.6};
// Much contact and little.
const std::vector<double> k_choice_distances = {0.6, 1.2};
const std::vector<double> k_little_contact = {1.2};

// Both trees are descended at once, and what concerns one node is worked out at its parent. Among the
// traversals here, the siblings of B against a list of nodes of A are mostly faster.
constexpr Algorithm k_as_in_the_paper = Algorithm::one_level_up;
constexpr Algorithm k_fastest = Algorithm::list_pairs;

bool is_quick(const ReproduceOptions& options) {
  return options.extent == Extent::quick;
}

std::string volume_name(Volume volume) {
  return std::string(info_of(volumes(), &VolumeInfo::volume, volume).name);
}

std::string algorithm_name(Algorithm algorithm) {
  return std::string(info_of(algorithms(), &AlgorithmInfo::algorithm, algorithm).name);
}

Combination combination(const BuildOptions& build, Algorithm traversal,
                        Overlap test = Overlap::automatic) {
  return {info_of(volumes(), &VolumeInfo::volume, build.volume),
          info_of(overlaps(), &OverlapInfo::overlap, test),
          info_of(algorithms(), &AlgorithmInfo::algorithm, traversal), build};
}

void measure(Comparison& comparison, const TumblingObject& object,
             const std::vector<double>& distances, const ReproduceOptions& options) {
  tumble::Plan plan{
      .combinations = {},
      .distances = distances,
      .steps = is_quick(options) ? 4 : 10,
      .timing = {.round_s = 0.002, .max_rounds = is_quick(options) ? 1 : 3, .max_task_s = 2},
      .reporting = options.reporting};
  for (const Variant& variant : comparison.variants) {
    plan.combinations.push_back(variant.combination);
  }
  tumble::measure(object, plan, [&](tumble::Measurement measurement) {
    comparison.measurements.push_back(std::move(measurement));
  });
}

// The logarithms' mean, back.
template <class Ratio>
double geometric_mean(const std::vector<const tumble::Measurement*>& measurements, Ratio ratio) {
  double sum = 0;
  for (const tumble::Measurement* measurement : measurements) sum += std::log(ratio(*measurement));
  return std::exp(sum / static_cast<double>(measurements.size()));
}

Comparison layouts() {
  Comparison result{"layouts", "Layouts, trims and leaf sizes", {}, {}};
  const auto add = [&](const std::string& name, const BuildOptions& build) {
    result.variants.push_back({name, combination(build, k_fastest)});
  };
  add("boxtree, 9 bytes a node", {.volume = Volume::boxtree});
  for (const double trim : {1.0, 0.1}) {
    const std::string trimmed = trim < 1 ? ", trimmed" : "";
    add("two planes" + trimmed, {.volume = Volume::boxtree_two_planes, .trim = trim});
  }
  for (const double trim : {1.0, 0.1}) {
    const std::string trimmed = trim < 1 ? ", trimmed" : "";
    for (const int size : {1, 2, 4, 8, 16}) {
      add("packed, " + counted(static_cast<std::uint64_t>(size), "triangle", "triangles") +
              " a leaf" + trimmed,
          {.volume = Volume::boxtree_packed, .leaf_size = size, .trim = trim});
    }
  }
  return result;
}

Comparison planes() {
  Comparison result{"planes", "Siblings' planes along any axes, and along the same one", {}, {}};
  for (const Builder builder : {Builder::sah, Builder::volume}) {
    for (const bool parallel : {false, true}) {
      result.variants.push_back(
          {std::string(parallel ? "parallel, " : "free, ").append(name_of(builder)),
           combination({.volume = Volume::boxtree, .builder = builder, .parallel_planes = parallel},
                       k_fastest)});
    }
  }
  return result;
}

Comparison arities() {
  Comparison result{"arities", "Children of a node, with little contact", {}, {}};
  for (const int arity : {2, 3, 4, 8}) {
    result.variants.push_back(
        {"up to " + std::to_string(arity),
         combination({.volume = Volume::boxtree, .arity = arity}, k_fastest)});
  }
  return result;
}

Comparison builders_of(Volume volume) {
  const std::string name = volume_name(volume);
  Comparison result{"builders of " + name, "Builders of " + name, {}, {}};
  const auto add = [&](Builder builder) {
    result.variants.push_back({std::string(name_of(builder)),
                               combination({.volume = volume, .builder = builder}, k_fastest)});
  };
  add(Builder::sah);
  for (const BuilderInfo& info : builders()) {
    if (info.builder == Builder::automatic || !works_with(info.builder, volume)) continue;
    if (info.builder != Builder::sah) add(info.builder);
  }
  return result;
}

}  // namespace

std::string_view name_of(Builder builder) {
  return info_of(builders(), &BuilderInfo::builder, builder).name;
}

Family make_family(const std::string& name, const std::string& source,
                   std::span<const std::size_t> counts, Reporting reporting) {
  Family family{name, {}};
  if (source.starts_with("shape:")) {
    // shape:NAME:COUNT:SEED
    const std::size_t name_end = source.find(':', 6);
    const std::size_t count_end =
        name_end == source.npos ? source.npos : source.find(':', name_end + 1);
    const std::string seed = count_end == source.npos ? "" : source.substr(count_end);
    for (const std::size_t count : counts) {
      const std::string sized =
          source.substr(0, name_end).append(":").append(std::to_string(count)).append(seed);
      family.sizes.push_back(std::move(load_tumbling_objects(sized, reporting)[0]));
    }
  } else {
    family.sizes = load_tumbling_objects(source, reporting);
    while (4 * family.sizes.back().mesh.triangle_count() <= counts.back()) {
      family.sizes.push_back({source, "", subdivide(family.sizes.back().mesh)});
    }
  }
  for (TumblingObject& object : family.sizes) {
    object.name = name + "-" + std::to_string(object.mesh.triangle_count());
  }
  return family;
}

double BuildCurve::exponent() const {
  double mean_x = 0;
  double mean_y = 0;
  const auto x = [](const Point& point) {
    return std::log(static_cast<double>(point.triangle_count));
  };
  const auto y = [](const Point& point) { return std::log(point.timing.median_s()); };
  for (const Point& point : points) {
    mean_x += x(point) / static_cast<double>(points.size());
    mean_y += y(point) / static_cast<double>(points.size());
  }
  double both = 0;
  double square = 0;
  for (const Point& point : points) {
    both += (x(point) - mean_x) * (y(point) - mean_y);
    square += (x(point) - mean_x) * (x(point) - mean_x);
  }
  return both / square;
}

double BuildCurve::triangles_per_second() const {
  return static_cast<double>(points.back().triangle_count) / points.back().timing.median_s();
}

std::vector<BuildCurve> measure_builds(const Family& family, const ReproduceOptions& options) {
  std::vector<BuildCurve> curves;
  for (const Builder builder : {Builder::volume, Builder::volume_longest}) {
    curves.push_back({family.name, builder, {}});
  }
  ProgressBar bar("building " + family.name, options.reporting);
  const Progress progress = bar.callback();
  for (const TumblingObject& object : family.sizes) {
    std::vector<RepeatedTask> tasks;
    tasks.reserve(curves.size());
    for (const BuildCurve& curve : curves) {
      tasks.emplace_back([&object, builder = curve.builder](std::uint64_t repetitions) {
        for (std::uint64_t i = 0; i < repetitions; ++i) {
          const Model model(object.mesh, {.volume = Volume::boxtree, .builder = builder});
        }
      });
    }
    const TimingOptions timing{.round_s = 0.01, .max_rounds = 5, .max_task_s = 0.8};
    const std::vector<Timing> timings = time_in_turn(tasks, timing);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      curves[i].points.push_back({object.mesh.triangle_count(), timings[i]});
    }
    if (progress) {
      progress(static_cast<double>(curves[0].points.size()) /
               static_cast<double>(family.sizes.size()));
    }
  }
  return curves;
}

std::vector<const tumble::Measurement*> Comparison::of(std::string_view object) const {
  std::vector<const tumble::Measurement*> result;
  for (const tumble::Measurement& measurement : measurements) {
    if (measurement.name == object) result.push_back(&measurement);
  }
  return result;
}

std::vector<std::string> Comparison::objects() const {
  std::vector<std::string> names;
  for (const tumble::Measurement& measurement : measurements) {
    if (names.empty() || names.back() != measurement.name) names.push_back(measurement.name);
  }
  return names;
}

std::size_t Comparison::variant(std::string_view name) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.name == name; });
  return static_cast<std::size_t>(found - variants.begin());
}

double Comparison::time_ratio(std::string_view object, std::size_t variant,
                              std::size_t other) const {
  return geometric_mean(of(object), [&](const tumble::Measurement& measurement) {
    return median_ratio(measurement.rows[variant].timing, measurement.rows[other].timing);
  });
}

double Comparison::count_ratio(std::string_view object, std::uint64_t Statistics::*counter,
                               std::size_t variant, std::size_t other) const {
  return geometric_mean(of(object), [&](const tumble::Measurement& measurement) {
    return static_cast<double>(measurement.rows[variant].statistics.*counter) /
           static_cast<double>(measurement.rows[other].statistics.*counter);
  });
}

double Comparison::mean_query_s(std::string_view object, std::size_t variant) const {
  const auto chosen = of(object);
  double sum = 0;
  for (const tumble::Measurement* measurement : chosen) {
    sum += measurement->query_s(measurement->rows[variant]);
  }
  return sum / static_cast<double>(chosen.size());
}

Comparison compare_tests(std::span<const TumblingObject> objects, const ReproduceOptions& options) {
  Comparison result{"figure 9", "The overlap tests of boxtrees", {}, {}};
  const BuildOptions build{.volume = Volume::boxtree, .builder = Builder::volume};
  for (const Overlap test :
       {Overlap::six_axes, Overlap::realigned, Overlap::lookup, Overlap::fifteen_axes}) {
    result.variants.push_back({std::string(info_of(overlaps(), &OverlapInfo::overlap, test).name),
                               combination(build, k_as_in_the_paper, test)});
  }
  for (const TumblingObject& object : objects) {
    measure(result, object, is_quick(options) ? k_quick_distances : k_distances, options);
  }
  return result;
}

Comparison compare_with_dops(std::span<const Family> families, const ReproduceOptions& options) {
  Comparison result{"figure 10", "Boxtrees and 24-DOP trees", {}, {}};
  for (const Algorithm traversal : {k_as_in_the_paper, k_fastest}) {
    for (const Volume volume : {Volume::dop24, Volume::boxtree, Volume::boxtree_packed}) {
      result.variants.push_back({volume_name(volume) + ", " + algorithm_name(traversal),
                                 combination({.volume = volume}, traversal)});
    }
  }
  for (const Family& family : families) {
    for (const TumblingObject& object : family.sizes) {
      measure(result, object, is_quick(options) ? k_little_contact : k_practical_distances,
              options);
    }
  }
  return result;
}

void compare_choices(std::span<const TumblingObject> objects, const ReproduceOptions& options,
                     const std::function<void(Comparison)>& done) {
  std::vector<Comparison> choices = {layouts(), planes(), arities()};
  for (const Volume volume : {Volume::boxtree, Volume::aabb, Volume::obb, Volume::dop24}) {
    choices.push_back(builders_of(volume));
  }
  for (Comparison& comparison : choices) {
    // Boxes with many siblings cull so little that more contact would take minutes.
    const bool little = is_quick(options) || comparison.key == "arities";
    for (const TumblingObject& object : objects) {
      measure(comparison, object, little ? k_little_contact : k_choice_distances, options);
    }
    done(std::move(comparison));
  }
}

}  // namespace tandem::cli::restricted_boxtree
