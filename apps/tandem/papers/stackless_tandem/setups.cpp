// The setups of the stackless-tandem paper, section 9: where the two objects stand.
#include <array>
#include <cmath>
#include <random>

#include "papers/stackless_tandem/stackless_tandem.h"
#include "text/strings.h"

namespace tandem::cli::stackless_tandem {

namespace {

// The paper's object has 796 triangles.
constexpr std::size_t k_triangle_count = 800;
constexpr double k_small_scale = 0.15;
constexpr int k_most_attempts = 100'000;

// The same numbers on every platform: the bits of <random>'s generator are standardised, its
// distributions are not.
class Random {
 public:
  explicit Random(int seed) : bits_(static_cast<std::uint64_t>(seed)) {}

  double uniform(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(bits_() >> 11) * 0x1p-53);
  }

  // A direction, all with the same probability: a random point of the unit ball, normalised.
  template <std::size_t Dimension>
  std::array<double, Dimension> direction() {
    for (;;) {
      std::array<double, Dimension> point;
      double length_sq = 0;
      for (double& x : point) {
        x = uniform(-1, 1);
        length_sq += x * x;
      }
      if (length_sq > 1 || length_sq < 0.01) continue;
      for (double& x : point) x /= std::sqrt(length_sq);
      return point;
    }
  }

 private:
  std::mt19937_64 bits_;
};

// Where B stands while A stays where it is.
struct Placement {
  Pose turn_of_b;
  Vec3d translation_of_b;
};

// Between which distances the centres are placed; the knot's box has the sides 6, 6.2 and 2.7.
struct Distances {
  double least;
  double most;
};
Distances distances(SetupKind kind) {
  switch (kind) {
    case SetupKind::intersection:
      return {0.5, 4};
    case SetupKind::separation:
      return {5, 10};
    case SetupKind::close_proximity:
      return {2.5, 4.5};
    case SetupKind::small_proximity:
      return {3, 7};
    case SetupKind::different_sizes:
      return {0, 3};
  }
  throw Error("there is no such kind of setup");
}

Placement draw_placement(SetupKind kind, Random& random) {
  const auto turn = random.direction<4>();
  const auto direction = random.direction<3>();
  const Distances range = distances(kind);
  const double distance = random.uniform(range.least, range.most);
  return {Pose::from_quaternion(turn[0], turn[1], turn[2], turn[3]),
          distance * Vec3d(direction[0], direction[1], direction[2])};
}

Mesh knot(int subdivisions) {
  Mesh mesh = make_shape("knot", k_triangle_count);
  for (int i = 0; i < subdivisions; ++i) mesh = subdivide(mesh);
  return mesh;
}

// The mesh with its vertices turned and scaled.
Mesh turned(const Mesh& mesh, const Pose& turn, double scale) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& vertex : mesh.vertices()) {
    vertices.emplace_back(scale * transform_point(turn, Vec3d(vertex)));
  }
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

// Builds as the paper does.
Model build(Mesh mesh) {
  return Model(std::move(mesh), {.structure = "aabb", .builder = "median", .arity = 2});
}

Model make_a(SetupKind kind, int subdivisions) {
  const double scale = kind == SetupKind::different_sizes ? k_small_scale : 1;
  return build(turned(knot(subdivisions), Pose(), scale));
}

Setup make_setup(int table, std::string name, SetupKind kind, const Model& a,
                 const Placement& placement, int subdivisions_b = 0) {
  return {table,
          std::move(name),
          kind,
          a,
          build(turned(knot(subdivisions_b), placement.turn_of_b, 1)),
          Pose::from_translation(placement.translation_of_b)};
}

bool boxes_apart(const Setup& setup) {
  const Bounds a = setup.a.mesh().bounds();
  const Bounds b = setup.b.mesh().bounds();
  for (int axis = 0; axis < 3; ++axis) {
    const double offset = setup.b_in_a.translation()[axis];
    if (b.lower[axis] + offset > a.upper[axis] || b.upper[axis] + offset < a.lower[axis]) {
      return true;
    }
  }
  return false;
}

// Whether A's centre is between parts of B: whether a line through it along some axis meets B on
// both sides.
bool a_between_parts_of_b(const Setup& setup) {
  const Bounds box = setup.a.mesh().bounds();
  const Vec3f centre = 0.5f * (box.lower + box.upper);
  const auto meets_b = [&](int axis, float offset) {
    Vec3f end = centre;
    end[axis] += offset;
    const Model segment = build(Mesh({centre, end}, {{0, 1, 1}}));
    return static_cast<bool>(intersects(segment, setup.b, setup.b_in_a));
  };
  constexpr float k_far = 100;
  for (int axis = 0; axis < 3; ++axis) {
    if (meets_b(axis, k_far) && meets_b(axis, -k_far)) return true;
  }
  return false;
}

// Whether the setup is what its name says.
bool is_as_named(const Setup& setup) {
  if (setup.kind == SetupKind::separation) return boxes_apart(setup);
  const bool touching = static_cast<bool>(intersects(setup.a, setup.b, setup.b_in_a));
  if (touching || setup.kind == SetupKind::intersection) {
    return touching && setup.kind == SetupKind::intersection;
  }
  const Statistics statistics =
      count(setup.a, setup.b, setup.b_in_a,
            {.engine = {.traversal = "dynamic-stack"}, .statistics = true})
          .statistics;
  switch (setup.kind) {
    case SetupKind::close_proximity:
      return statistics.overlaps >= 900;
    case SetupKind::small_proximity:
      return statistics.overlaps >= 50 && statistics.overlaps <= 700;
    case SetupKind::different_sizes:  // no leaf overlaps, as in the paper
      return !boxes_apart(setup) && statistics.leaf_overlaps == 0 && a_between_parts_of_b(setup);
    default:
      return false;
  }
}

// The first placement from the seed's sequence that is as named.
Placement find_placement(SetupKind kind, int seed) {
  Random random(seed);
  const Model a = make_a(kind, 0);
  for (int attempt = 0; attempt < k_most_attempts; ++attempt) {
    const Placement placement = draw_placement(kind, random);
    if (is_as_named(make_setup(0, "", kind, a, placement))) return placement;
  }
  throw Error("no placement for a setup was found: this is a bug in Tandem");
}

// Three setups of the same kind.
std::vector<Setup> make_three(int table, SetupKind kind, const std::string& name) {
  std::vector<Setup> setups;
  for (int i = 1; i <= 3; ++i) {
    const int seed = 100 * table + i;
    setups.push_back(make_setup(table, name + " " + std::to_string(i), kind, make_a(kind, 0),
                                find_placement(kind, seed)));
  }
  return setups;
}

std::vector<Setup> setups_of(int table, Extent extent) {
  const int most_subdivisions = extent == Extent::full ? 4 : 2;
  // Scalability and different numbers of triangles share a placement (figure 31).
  constexpr int k_figure_31_seed = 1;
  switch (table) {
    case 2:
      return make_three(table, SetupKind::intersection, "intersection");
    case 3:
      return make_three(table, SetupKind::separation, "separation");
    case 4:
      return make_three(table, SetupKind::close_proximity, "close proximity");
    case 5:
      return make_three(table, SetupKind::small_proximity, "small proximity");
    case 6: {
      const SetupKind kind = SetupKind::intersection;
      const Placement placement = find_placement(kind, k_figure_31_seed);
      std::vector<Setup> setups;
      for (int i = 0; i <= most_subdivisions; ++i) {
        setups.push_back(make_setup(table, "subdivision " + std::to_string(i), kind,
                                    make_a(kind, i), placement, i));
      }
      return setups;
    }
    case 7: {
      const SetupKind kind = SetupKind::different_sizes;
      return {
          make_setup(table, "different sizes", kind, make_a(kind, 0), find_placement(kind, 701))};
    }
    case 8: {
      const SetupKind kind = SetupKind::intersection;
      const Placement placement = find_placement(kind, k_figure_31_seed);
      const Model large = make_a(kind, most_subdivisions);
      const Model small = make_a(kind, 0);
      return {make_setup(table, "largest first", kind, large, placement, 0),
              make_setup(table, "smallest first", kind, small, placement, most_subdivisions)};
    }
    default:
      throw Error("the paper has no table " + std::to_string(table) + " of this kind");
  }
}

}  // namespace

std::string_view table_title(int table) {
  constexpr std::string_view k_titles[] = {"Intersection",
                                           "Separation",
                                           "Close proximity",
                                           "Small proximity",
                                           "Scalability",
                                           "Different sizes",
                                           "Different numbers of triangles"};
  return k_titles[table - k_first_table];
}

std::vector<Setup> make_setups(int table, Extent extent) {
  std::vector<Setup> setups = setups_of(table, extent);
  for (const Setup& setup : setups) {
    if (!is_as_named(setup)) {
      throw Error("the setup " + in_quotes(setup.name) +
                  " is not what it is called: this is a bug in Tandem");
    }
  }
  return setups;
}

}  // namespace tandem::cli::stackless_tandem
