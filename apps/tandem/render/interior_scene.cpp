// The built-in scene: a hall.
#include <cmath>
#include <numbers>

#include "render/scene_builder.h"

namespace tandem::cli {

namespace {

// The hall: 16 long along x, 10 wide along z, 6 high.
constexpr double k_half_length = 8;
constexpr double k_half_width = 5;
constexpr double k_height = 6;

class Hall {
 public:
  Hall()
      : plaster_(builder_.add_material({.albedo = {0.74, 0.71, 0.66}})),
        light_stone_(builder_.add_material({.albedo = {0.66, 0.62, 0.55}})),
        dark_stone_(builder_.add_material({.albedo = {0.24, 0.22, 0.22}})),
        wood_(builder_.add_material({.albedo = {0.36, 0.21, 0.11}})),
        red_(builder_.add_material({.albedo = {0.62, 0.12, 0.09}})),
        blue_(builder_.add_material({.albedo = {0.12, 0.26, 0.52}})),
        gold_(builder_.add_material({.albedo = {0.76, 0.52, 0.16}})),
        pane_(builder_.add_material({.albedo = {0, 0, 0}, .emission = {4.2, 4.9, 5.6}})),
        lamp_(builder_.add_material({.albedo = {0, 0, 0}, .emission = {9, 7.8, 6}})) {
    add_floor();
    add_walls();
    add_window_wall();
    add_ceiling();
    for (const double x : {-6.0, -2.0, 2.0, 6.0}) {
      add_column({x, 0, -3});
      add_column({x, 0, 3});
    }
    add_exhibits();
  }

  SceneBuilder& builder() { return builder_; }

 private:
  void add_floor() {
    constexpr double k_tile = 0.5;
    const int columns = static_cast<int>(2 * k_half_length / k_tile);
    const int rows = static_cast<int>(2 * k_half_width / k_tile);
    for (int i = 0; i < columns; ++i) {
      for (int j = 0; j < rows; ++j) {
        builder_.add_quad({-k_half_length + i * k_tile, 0, -k_half_width + j * k_tile},
                          {0, 0, k_tile}, {k_tile, 0, 0},
                          (i + j) % 2 == 0 ? light_stone_ : dark_stone_);
      }
    }
  }

  void add_walls() {
    const Vec3d up{0, k_height, 0};
    builder_.add_quad({-k_half_length, 0, k_half_width}, {2 * k_half_length, 0, 0}, up, plaster_);
    builder_.add_quad({-k_half_length, 0, -k_half_width}, {0, 0, 2 * k_half_width}, up, plaster_);
    builder_.add_quad({k_half_length, 0, -k_half_width}, {0, 0, 2 * k_half_width}, up, blue_);
    // A red band along the wall opposite to the windows.
    builder_.add_box({-k_half_length, 0, k_half_width - 0.06}, {k_half_length, 1.1, k_half_width},
                     red_);
  }

  /// Five tall windows between piers, with bars; their panes emit light.
  void add_window_wall() {
    constexpr double k_sill = 1.1;
    constexpr double k_top = 4.9;
    constexpr double k_spacing = 3.2;
    constexpr double k_half_window = 0.8;
    constexpr double k_inner = -k_half_width;
    constexpr double k_outer = -k_half_width - 0.5;
    builder_.add_box({-k_half_length, 0, k_outer}, {k_half_length, k_sill, k_inner}, plaster_);
    builder_.add_box({-k_half_length, k_top, k_outer}, {k_half_length, k_height, k_inner},
                     plaster_);
    double pier_begin = -k_half_length;
    for (int i = -2; i <= 2; ++i) {
      const double centre = i * k_spacing;
      builder_.add_box({pier_begin, k_sill, k_outer}, {centre - k_half_window, k_top, k_inner},
                       plaster_);
      pier_begin = centre + k_half_window;
      const double middle = (k_inner + k_outer) / 2;
      builder_.add_quad({centre - k_half_window, k_sill, k_outer}, {2 * k_half_window, 0, 0},
                        {0, k_top - k_sill, 0}, pane_);
      builder_.add_bar({centre, k_sill, middle}, {centre, k_top, middle}, 0.03, 8, dark_stone_);
      for (const double height : {2.1, 3.1, 4.0}) {
        builder_.add_bar({centre - k_half_window, height, middle},
                         {centre + k_half_window, height, middle}, 0.025, 8, dark_stone_);
      }
    }
    builder_.add_box({pier_begin, k_sill, k_outer}, {k_half_length, k_top, k_inner}, plaster_);
  }

  void add_ceiling() {
    builder_.add_quad({-k_half_length, k_height, -k_half_width}, {2 * k_half_length, 0, 0},
                      {0, 0, 2 * k_half_width}, plaster_);
    for (int i = -7; i <= 7; i += 2) {
      builder_.add_box({i - 0.15, k_height - 0.4, -k_half_width},
                       {i + 0.15, k_height, k_half_width}, wood_);
    }
    for (const double x : {-4.0, 4.0}) {
      builder_.add_quad({x - 0.6, k_height - 0.45, -0.6}, {1.2, 0, 0}, {0, 0, 1.2}, lamp_);
    }
  }

  void add_column(const Vec3d& foot) {
    builder_.add_box(foot + Vec3d{-0.5, 0, -0.5}, foot + Vec3d{0.5, 0.3, 0.5}, light_stone_);
    builder_.add_bar(foot + Vec3d{0, 0.3, 0}, foot + Vec3d{0, k_height - 0.6, 0}, 0.32, 48,
                     light_stone_);
    const Mesh ring = make_torus(64, 20, 0.33, 0.09);
    const auto lying = [&](double height) {
      return Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 2, foot + Vec3d{0, height, 0});
    };
    builder_.add(ring, 1, lying(0.39), light_stone_);
    builder_.add(ring, 0.85, lying(0.56), light_stone_);
    builder_.add(ring, 1, lying(k_height - 0.75), light_stone_);
    builder_.add_box(foot + Vec3d{-0.45, k_height - 0.66, -0.45},
                     foot + Vec3d{0.45, k_height - 0.4, 0.45}, light_stone_);
  }

  void add_pedestal(const Vec3d& foot, double half_width, double height) {
    builder_.add_box(foot + Vec3d{-half_width - 0.08, 0, -half_width - 0.08},
                     foot + Vec3d{half_width + 0.08, 0.12, half_width + 0.08}, dark_stone_);
    builder_.add_box(foot + Vec3d{-half_width, 0.12, -half_width},
                     foot + Vec3d{half_width, height, half_width}, plaster_);
  }

  void add_exhibits() {
    add_pedestal({0, 0, 0}, 0.55, 0.9);
    builder_.add(make_shape("knot", 40'000), 0.3,
                 Pose::from_axis_angle({0, 1, 0}, 0.6, {0, 2.0, 0}), gold_);
    add_pedestal({-4, 0, -0.4}, 0.45, 1.1);
    builder_.add(make_rock(28, 5), 0.5, Pose::from_translation({-4, 1.62, -0.4}), dark_stone_);
    add_pedestal({4, 0, -0.6}, 0.45, 1.1);
    builder_.add(make_icosphere(28), 0.5, Pose::from_translation({4, 1.6, -0.6}), red_);
    // A bench, and a ring that leans against it.
    builder_.add_box({-1.6, 0.42, 3.6}, {1.6, 0.5, 4.2}, wood_);
    for (const double x : {-1.4, 1.3}) {
      builder_.add_box({x, 0, 3.65}, {x + 0.1, 0.42, 4.15}, wood_);
    }
    builder_.add(make_torus(96, 32, 0.5, 0.12), 1,
                 Pose::from_axis_angle({1, 0, 0}, -0.35, {0.4, 0.6, 3.35}), blue_);
  }

  SceneBuilder builder_;
  std::uint32_t plaster_;
  std::uint32_t light_stone_;
  std::uint32_t dark_stone_;
  std::uint32_t wood_;
  std::uint32_t red_;
  std::uint32_t blue_;
  std::uint32_t gold_;
  std::uint32_t pane_;
  std::uint32_t lamp_;
};

}  // namespace

Scene make_interior(const SceneChoices& choices, Reporting reporting) {
  Hall hall;
  add_lamps(hall.builder(), choices.lamps);
  const Camera camera{.eye = {-7.5, 2.2, 1.5},
                      .target = {0.6, 1.6, -0.45},
                      .up = {0, 1, 0},
                      .field_of_view_degrees = 56};
  return std::move(hall.builder())
      .build(k_interior, {}, choices.camera.value_or(camera), reporting);
}

}  // namespace tandem::cli
