// Models of meshes that deform: new versions with the same triangles.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/refit.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/error_of.h"
#include "support/fitting.h"
#include "support/ray_cases.h"
#include "tree/wide/validate.h"

namespace tandem {
namespace {

constexpr double k_never = std::numeric_limits<double>::infinity();
constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();

std::vector<Vec3f> positions_of(const Mesh& mesh) {
  return {mesh.vertices().begin(), mesh.vertices().end()};
}

constexpr int k_deformations = 7;

/// From hardly at all to without any likeness.
std::vector<Vec3f> deformed(const Mesh& mesh, int kind, detail::Random& random) {
  std::vector<Vec3f> positions = positions_of(mesh);
  const auto in_cube = [&](double size) {
    return Vec3f(Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                       random.uniform(-size, size)});
  };
  switch (kind) {
    case 0:  // trembles
      for (Vec3f& v : positions) v += in_cube(1e-3);
      break;
    case 1:  // waves
      for (Vec3f& v : positions) v.z += 0.3F * std::sin(5 * v.x + 3 * v.y);
      break;
    case 2:  // bursts
      for (Vec3f& v : positions) v = in_cube(1);
      break;
    case 3:  // vertices change places
      for (std::size_t i = positions.size(); i > 1; --i) {
        std::swap(positions[i - 1], positions[random.below(i)]);
      }
      break;
    case 4: {  // falls into a point
      const Vec3f point = positions.empty() ? Vec3f{0, 0, 0} : positions[0];
      for (Vec3f& v : positions) v = point;
      break;
    }
    case 5:  // one vertex flies away
      if (!positions.empty()) positions[random.below(positions.size())] = in_cube(1e9);
      break;
    default: {  // grows or shrinks, flattens, and moves
      const auto factor = static_cast<float>(std::pow(10.0, random.uniform(-6, 6)));
      const Vec3f by = in_cube(1);
      for (Vec3f& v : positions) v = factor * (Vec3f{v.x, v.y, 0} + by);
      break;
    }
  }
  return positions;
}

TEST(MeshWithVertices, SharesItsTriangles) {
  const Mesh mesh = make_icosphere(3);
  const Mesh copy = mesh;
  std::vector<Vec3f> positions = positions_of(mesh);
  for (Vec3f& v : positions) v.x += 1;
  const Mesh moved = mesh.with_vertices(positions);
  EXPECT_EQ(copy.triangles().data(), mesh.triangles().data());
  EXPECT_EQ(moved.triangles().data(), mesh.triangles().data());
  EXPECT_EQ(moved.vertices()[5], positions[5]);
  EXPECT_EQ(moved.triangle_count(), mesh.triangle_count());
  EXPECT_FALSE(mesh.vertices()[5] == positions[5]);
}

TEST(MeshWithVertices, AMeshThatWasMovedFromIsEmpty) {
  Mesh mesh = make_icosphere(3);
  const Mesh taken = std::move(mesh);
  EXPECT_EQ(taken.triangle_count(), 180U);
  // NOLINTNEXTLINE(bugprone-use-after-move): what is tested
  EXPECT_TRUE(mesh.empty() && mesh.triangles().empty() && mesh.vertices().empty());
  mesh = make_icosphere(2);
  EXPECT_EQ(mesh.triangle_count(), 80U);
}

TEST(MeshWithVertices, ErrorsNameWhatIsWrong) {
  const Mesh mesh = make_icosphere(1);
  const Model model(mesh);
  for (const std::size_t count : {0U, 11U, 13U}) {
    const std::string problem = test::error_of([&] {
      model.refit(std::vector<Vec3f>(count, {0, 0, 0}));
    });
    EXPECT_NE(problem.find("12 vertices"), std::string::npos) << problem;
    EXPECT_NE(problem.find(std::to_string(count) + " new"), std::string::npos) << problem;
  }
  for (const float bad : {k_nan, std::numeric_limits<float>::infinity()}) {
    std::vector<Vec3f> positions = positions_of(mesh);
    positions[7].y = bad;
    EXPECT_EQ(test::error_of([&] { model.refit(positions); }),
              "vertex 7 has a coordinate that is not finite");
  }
  for (const double rebuild_at : {-1.0, double{k_nan}}) {
    EXPECT_NE(test::error_of([&] { model.refit(positions_of(mesh), {.rebuild_at = rebuild_at}); }),
              "");
  }
}

TEST(SharedMesh, RefersToArraysForAsLongAsAnyoneNeedsThem) {
  const Mesh knot = make_knot(20, 6);
  struct Arrays {
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> triangles;
  };
  auto arrays = std::make_shared<Arrays>(
      Arrays{positions_of(knot), {knot.triangles().begin(), knot.triangles().end()}});
  const std::weak_ptr<Arrays> watched = arrays;
  const Vec3f* const vertices = arrays->vertices.data();
  const TriangleIndices* const triangles = arrays->triangles.data();
  {
    const Model model(Mesh::shared(arrays->vertices, arrays->triangles, arrays));
    arrays.reset();
    EXPECT_EQ(model.mesh().vertices().data(), vertices);
    EXPECT_EQ(model.mesh().triangles().data(), triangles);
    // Copies share, also when they outlive the model.
    const Mesh copy = Model(model).mesh();
    EXPECT_EQ(copy.vertices().data(), vertices);
    // Other positions that someone else has; the triangles are the same ones.
    auto moved = std::make_shared<const std::vector<Vec3f>>(positions_of(knot));
    const Model version = model.refit(*moved, moved);
    EXPECT_EQ(version.mesh().vertices().data(), moved->data());
    EXPECT_EQ(version.mesh().triangles().data(), triangles);
    EXPECT_EQ(self_count(version).count, self_count(Model(knot)).count);
    EXPECT_EQ(moved.use_count(), 2);
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(SharedMesh, IsCheckedLikeAnyOther) {
  const std::vector<Vec3f> vertices = {{0, 0, 0}, {1, 0, k_nan}};
  const std::vector<TriangleIndices> triangles = {{0, 0, 2}};
  EXPECT_EQ(test::error_of([&] { Mesh::shared(vertices, {}, nullptr); }),
            "vertex 1 has a coordinate that is not finite");
  EXPECT_EQ(test::error_of([&] { Mesh::shared(std::span(vertices).first(1), triangles, nullptr); }),
            "triangle 0 uses vertex 2, but there are only 1");
  const Model model(make_icosphere(1));
  EXPECT_NE(test::error_of([&] { model.refit(vertices, nullptr); }), "");
}

TEST(Refit, EveryEngineEqualsBruteForceAndOlderVersionsStay) {
  constexpr std::uint64_t k_seed = 400;
  detail::Random random(k_seed);
  std::uint64_t number = k_seed;
  std::size_t touching = 0;
  std::size_t runs = 0;
  for (const Engine& engine : test::exact_engines()) {
    for (int kind = 0; kind < k_deformations; ++kind) {
      const test::CollideCase c = test::CollideCases(++number).next();
      const bool only_moves = engine.overlap == OverlapTest("aligned");
      const Pose pose = only_moves ? Pose::from_translation(c.b_in_a.translation()) : c.b_in_a;
      const QueryOptions with{.engine = engine};
      const QueryOptions brute{.engine = {.traversal = "brute-force"}};
      const Model a(c.a, test::draw_options(engine.structure, 16, random));
      const Model b(c.b, test::draw_options(engine.structure, 16, random));
      const auto before = collide(a, b, pose, with).pairs;
      std::optional<Model> version = a;
      for (const double rebuild_at : {k_never, 2.0, 0.0, k_never}) {
        SCOPED_TRACE(test::name_of(engine) + ", " + c.name + ", deformation " +
                     std::to_string(kind) + ", rebuild at " + std::to_string(rebuild_at));
        const std::vector<Vec3f> positions = deformed(version->mesh(), kind, random);
        version = version->refit(positions, {.rebuild_at = rebuild_at});
        const Model fresh(c.a.with_vertices(positions));
        const auto expected = collide(fresh, fresh, pose, brute).pairs;
        ASSERT_EQ(collide(*version, *version, pose, with).pairs, expected);
        ASSERT_EQ(collide(*version, b, pose, with).pairs, collide(fresh, b, pose, brute).pairs);
        ASSERT_EQ(version->mesh().triangles().data(), a.mesh().triangles().data());
        if (rebuild_at == 0) {
          ASSERT_EQ(version->wear(), 1);
        }
        touching += expected.empty() ? 0 : 1;
        ++runs;
      }
      ASSERT_EQ(collide(a, b, pose, with).pairs, before) << test::name_of(engine);
    }
  }
  EXPECT_GT(touching, runs / 4);
}

TEST(Refit, EveryRayEngineFindsTheSameHits) {
  constexpr std::uint64_t k_seed = 9;
  detail::Random random(k_seed);
  const Mesh meshes[] = {make_knot(24, 5), make_soup(70, 3, 0.4), make_box(1), make_soup(1, 2, 1)};
  for (const RayEngine& engine : ray_engines()) {
    for (const Mesh& mesh : meshes) {
      for (int kind = 0; kind < k_deformations; ++kind) {
        SCOPED_TRACE(std::string(engine.structure.name()) + ", " +
                     std::string(engine.traversal.name()) + ", seed " + std::to_string(k_seed) +
                     ", deformation " + std::to_string(kind));
        const Model model(mesh);
        model.prepare_rays(engine);
        const std::vector<Vec3f> positions = deformed(mesh, kind, random);
        const Model version = model.refit(positions, {.rebuild_at = k_never});
        const Model fresh(mesh.with_vertices(positions));
        test::RayCases rays(fresh.mesh(), random.next());
        for (int i = 0; i < 40; ++i) {
          const Ray ray = rays.next();
          const Hit expected = closest_hit(fresh, ray, {.traversal = "brute-force"});
          const Hit found = closest_hit(version, ray, engine);
          ASSERT_TRUE(found == expected);
        }
      }
    }
  }
}

TEST(Refit, LargeWideTreesKeepAllInvariants) {
  // So many levels that not all slabs are measured.
  detail::Random random(3);
  for (const Mesh& mesh : {make_knot(400, 60), make_rock(40, 5)}) {
    for (const bool fast : {false, true}) {
      const detail::WideTree tree =
          fast ? detail::WideFast::build(mesh) : detail::WideBest::build(mesh);
      for (int kind = 0; kind < k_deformations; ++kind) {
        const Mesh moved = mesh.with_vertices(deformed(mesh, kind, random));
        const detail::WideTree fitted = detail::refit_wide(tree, moved);
        EXPECT_EQ(detail::validate_wide(moved, fitted), "") << "deformation " << kind;
        EXPECT_EQ(fitted.ids, tree.ids);
      }
    }
  }
}

TEST(Refit, LargeModelsAnswerAsFreshOnes) {
  detail::Random random(4);
  const Model knot(make_knot(120, 20));
  const Model rock(make_rock(12, 5));
  knot.prepare_rays();
  for (int kind = 0; kind < k_deformations; ++kind) {
    const std::vector<Vec3f> positions = deformed(knot.mesh(), kind, random);
    const Model version = knot.refit(positions, {.rebuild_at = k_never});
    const Model fresh(knot.mesh().with_vertices(positions));
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.5, 0, 0});
    EXPECT_EQ(collide(version, rock, pose).pairs, collide(fresh, rock, pose).pairs) << kind;
    EXPECT_EQ(intersects(rock, version, pose).pair.has_value(),
              intersects(rock, fresh, pose).pair.has_value());
    test::RayCases rays(fresh.mesh(), 11);
    for (int i = 0; i < 200; ++i) {
      const Ray ray = rays.next();
      const Hit found = closest_hit(version, ray);
      const Hit expected = closest_hit(fresh, ray);
      ASSERT_TRUE(found == expected) << kind;
    }
  }
}

TEST(Refit, WearIsWatchedAndWhatIsWornIsBuiltAnew) {
  detail::Random random(5);
  for (const Structure structure : Structure::all()) {
    if (structure == Structure("triangles")) continue;
    SCOPED_TRACE(structure.name());
    const Model model(make_knot(60, 12), {.structure = structure});
    EXPECT_EQ(model.wear(), 1);
    // The same positions, and the whole moved and grown: as good as new.
    EXPECT_NEAR(model.refit(positions_of(model.mesh())).wear(), 1, 1e-3);
    std::vector<Vec3f> grown = positions_of(model.mesh());
    for (Vec3f& v : grown) v = 64.0F * (v + Vec3f{1, 2, 3});
    EXPECT_NEAR(model.refit(grown).wear(), 1, 0.1);
    // Vertices that change places make boxes as large as the whole.
    const std::vector<Vec3f> mixed = deformed(model.mesh(), 3, random);
    const Model worn = model.refit(mixed, {.rebuild_at = k_never});
    const Model rebuilt = model.refit(mixed);
    EXPECT_EQ(rebuilt.wear(), 1);
    EXPECT_GT(worn.wear(), 2);
    // Wear is that since the last build, however many versions ago.
    EXPECT_NEAR(worn.refit(mixed, {.rebuild_at = k_never}).wear(), worn.wear(), 1e-3);
    EXPECT_NEAR(worn.refit(positions_of(model.mesh())).wear(), 1, 1e-3);
    EXPECT_NEAR(rebuilt.refit(mixed).wear(), 1, 1e-3);
  }
}

TEST(Refit, AVersionOutlivesTheOneItComesFrom) {
  std::optional<Model> model = Model(make_icosphere(8));
  model->prepare_rays();
  const std::size_t bytes = model->structure_bytes();
  std::vector<Vec3f> positions = positions_of(model->mesh());
  for (int i = 0; i < 20; ++i) {
    for (Vec3f& v : positions) v.x *= 1.01F;
    model = model->refit(positions);
  }
  const Model fresh(make_icosphere(8).with_vertices(positions));
  const Pose pose = Pose::from_translation({0.3, 0.2, 0.1});
  EXPECT_EQ(collide(*model, *model, pose).pairs, collide(fresh, fresh, pose).pairs);
  EXPECT_EQ(model->structure_bytes(), bytes);
}

TEST(Refit, EmptyMeshesAndSingleTriangles) {
  for (const Mesh& mesh : {Mesh(), Mesh({{1, 2, 3}}, {}), make_soup(1, 1, 1), make_soup(2, 1, 1)}) {
    for (const Structure structure : Structure::all()) {
      const Model model(mesh, {.structure = structure});
      const Model version = model.refit(positions_of(mesh));
      EXPECT_EQ(version.structure(), structure);
      EXPECT_EQ(count(version, version, Pose(), {.engine = {.traversal = "brute-force"}}).count,
                count(model, model, Pose(), {.engine = {.traversal = "brute-force"}}).count);
      EXPECT_FALSE(closest_hit(version, {{9, 9, 9}, {1, 0, 0}}));
    }
  }
}

TEST(Refit, ThreadsMayQueryAndRefitOneModelAtOnce) {
  const Model model(make_knot(60, 8));
  const Model rock(make_rock(8, 2));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.5, 0, 0});
  const auto expected = collide(model, rock, pose).pairs;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      detail::Random random(static_cast<std::uint64_t>(i));
      for (int round = 0; round < 5; ++round) {
        if (i % 2 == 0) {
          EXPECT_EQ(collide(model, rock, pose).pairs, expected);
          model.prepare_rays();
        } else {
          const Model version = model.refit(deformed(model.mesh(), 1, random));
          count(version, rock, pose);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tandem
