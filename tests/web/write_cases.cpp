// Writes what the library finds natively, for web/js to find again: meshes, and of pairs of them at
// some poses all pairs of triangles that touch, distances, contacts, and what searches with other
// volumes do; pairs of triangles within a mesh, hits of rays, and a scene.
//
//   write_cases CASES.json SEED
#include <tandem/tandem.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tandem;
using Json = nlohmann::json;

/// Double is exact for float32, and is printed so that it reads back to the bit.
std::vector<double> coordinates(const Mesh& mesh) {
  std::vector<double> result;
  for (const Vec3f& v : mesh.vertices()) result.insert(result.end(), {v.x, v.y, v.z});
  return result;
}

Json pose_json(const Pose& pose) {
  Json rotation = Json::array();
  for (int i = 0; i < 9; ++i) rotation.push_back(pose.rotation(i / 3, i % 3));
  const Vec3d& t = pose.translation();
  return {{"rotation", rotation}, {"translation", {t.x, t.y, t.z}}};
}

Json pairs_json(std::span<const TrianglePair> pairs) {
  Json result = Json::array();
  for (const TrianglePair& pair : pairs) {
    result.push_back(pair.a);
    result.push_back(pair.b);
  }
  return result;
}

/// Triangles of every kind on a coarse grid: points, segments, coplanar and equal ones.
Mesh grid_soup(std::mt19937_64& random) {
  std::uniform_int_distribution<int> step(0, 3);
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < 120; ++i) {
    for (int k = 0; k < 3; ++k) {
      vertices.push_back({static_cast<float>(step(random)) / 2,
                          static_cast<float>(step(random)) / 2,
                          static_cast<float>(step(random)) / 2});
    }
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return {std::move(vertices), std::move(triangles)};
}

Pose random_pose(std::mt19937_64& random, int kind) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const Vec3d move{unit(random), unit(random), unit(random)};
  // Flush faces, turns by quarters, anything, and far from the origin with few digits left.
  switch (kind % 4) {
    case 0:
      return Pose::from_translation({std::round(2 * move.x) / 2, 0.5, 0});
    case 1: {
      const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
      return Pose::from_rotation(quarter, {0.5, std::round(2 * move.y) / 2, 0});
    }
    case 2:
      return Pose::from_quaternion(unit(random), unit(random), unit(random), unit(random), move);
    default:
      return Pose::from_quaternion(1, 1e-9 * unit(random), 0, 0, {move.x, 1e-12, -1e-13});
  }
}

std::vector<double> vector_json(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

Json distance_json(const DistanceResult& found) {
  Json result = {{"pair", nullptr},
                 {"onA", vector_json(found.on_a)},
                 {"onB", vector_json(found.on_b)},
                 {"normal", vector_json(found.normal)}};
  // JSON has no infinity.
  if (found.pair) {
    result["pair"] = {found.pair->a, found.pair->b};
    result["distance"] = found.distance;
  }
  return result;
}

Json contact_json(const Contact& contact) {
  return {{"pair", {contact.pair.a, contact.pair.b}},
          {"points", {vector_json(contact.points[0]), vector_json(contact.points[1])}},
          {"across", {vector_json(contact.across[0]), vector_json(contact.across[1])}},
          {"normal", vector_json(contact.normal)},
          {"separation", contact.separation},
          {"opposed", contact.opposed}};
}

Json close_case(std::size_t a, std::size_t b, const Pose& pose, const std::vector<Model>& models) {
  const DistanceResult far = distance(models[a], models[b], pose);
  const double within_it = far.pair ? 1.01 * far.distance + 0.01 : 0.5;
  Json contacts = Json::array();
  for (const Contact& each : contacts_within(models[a], models[b], pose, within_it).contacts) {
    contacts.push_back(contact_json(each));
  }
  return {{"a", a},
          {"b", b},
          {"pose", pose_json(pose)},
          {"far", distance_json(far)},
          {"near", distance_json(distance(models[a], models[b], pose, {.limit = within_it / 2}))},
          {"within", within_it},
          {"contacts", contacts}};
}

/// What the recursive traversal does with each volume.
Json searches_json(const Model& a, const Model& b, const Pose& pose) {
  constexpr const char* k_volumes[][2] = {{"aabb", "fifteen-axes"},
                                          {"obb", "fifteen-axes"},
                                          {"dop14", "intervals"},
                                          {"dop24", "intervals"},
                                          {"boxtree", "six-axes"}};
  Json result = Json::object();
  for (const auto& [volume, overlap] : k_volumes) {
    const Statistics done =
        count(a, b, pose,
              {.engine = {.structure = volume, .traversal = "recursive", .overlap = overlap},
               .statistics = true})
            .statistics;
    result[volume] = {{"visits", done.iterations},
                      {"overlaps", done.overlaps},
                      {"leafOverlaps", done.leaf_overlaps},
                      {"triangleOverlaps", done.triangle_overlaps}};
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mt19937_64 random(std::stoull(argv[2]));
  Json cases = {{"seed", argv[2]}, {"meshes", Json::array()}, {"collide", Json::array()}};
  std::vector<Model> models;
  const auto add = [&](Mesh mesh) {
    Json triangles = Json::array();
    for (const TriangleIndices& t : mesh.triangles()) {
      for (const std::uint32_t corner : t) triangles.push_back(corner);
    }
    cases["meshes"].push_back({{"positions", coordinates(mesh)}, {"indices", triangles}});
    models.emplace_back(std::move(mesh));
  };
  add(Mesh());
  for (const char* shape : {"box", "sphere", "torus", "knot", "rock", "plane", "pipes", "sheet"}) {
    add(make_shape(shape, 1500, 1));
  }
  add(grid_soup(random));
  add(grid_soup(random));
  add(make_shape("knot", 20000, 1));

  // Queries between models; a few of all, more of the interesting ones
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i; j < models.size(); ++j) {
      const int poses = j + 3 > models.size() - 1 && i + 3 > models.size() - 1 ? 12 : 4;
      for (int k = 0; k < poses; ++k) {
        const Pose pose = random_pose(random, k);
        cases["collide"].push_back(
            {{"a", i},
             {"b", j},
             {"pose", pose_json(pose)},
             {"pairs", pairs_json(collide(models[i], models[j], pose).pairs)}});
      }
    }
  }
  // How far apart, and how others search for the same
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i; j < models.size(); ++j) {
      const Pose pose = random_pose(random, static_cast<int>(i + j));
      const Pose away = Pose::from_translation({i % 2 == 0 ? 0.0 : 2.5, 0, 0}) * pose;
      if (models[i].mesh().triangle_count() + models[j].mesh().triangle_count() < 4000) {
        cases["close"].push_back(close_case(i, j, away, models));
      }
      cases["searches"].push_back({{"a", i},
                                   {"b", j},
                                   {"pose", pose_json(pose)},
                                   {"volumes", searches_json(models[i], models[j], pose)}});
    }
  }
  for (const Model& model : models) {
    cases["self"].push_back(pairs_json(self_collide(model).pairs));
  }

  // Rays
  std::uniform_real_distribution<float> unit(-1, 1);
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (int k = 0; k < 40; ++k) {
      // Towards the middle, from somewhere.
      const Vec3f origin{3 * unit(random), 3 * unit(random), 3 * unit(random)};
      const Vec3f target{0.5f * unit(random), 0.5f * unit(random), 0.5f * unit(random)};
      const Ray ray{origin, target - origin};
      const Hit hit = closest_hit(models[i], ray);
      Json row = {{"model", i},
                  {"origin", {ray.origin.x, ray.origin.y, ray.origin.z}},
                  {"direction", {ray.direction.x, ray.direction.y, ray.direction.z}}};
      if (hit) row["hit"] = {hit.triangle, hit.distance, hit.u, hit.v};
      cases["rays"].push_back(row);
    }
  }

  // A scene, by quaternions
  Scene scene;
  for (int i = 0; i < 30; ++i) {
    const std::size_t model = 1 + random() % 8;
    const double q[4] = {unit(random), unit(random), unit(random), unit(random)};
    const Vec3d at{2.0 * unit(random), 2.0 * unit(random), 2.0 * unit(random)};
    scene.add(models[model], Pose::from_quaternion(q[0], q[1], q[2], q[3], at));
    cases["scene"]["objects"].push_back(
        {{"model", model}, {"quaternion", q}, {"translation", {at.x, at.y, at.z}}});
  }
  const SceneResult found = scene.collide();
  cases["scene"]["touching"] = Json::array();
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    cases["scene"]["touching"].push_back({{"a", found.objects[i].a},
                                          {"b", found.objects[i].b},
                                          {"pairs", pairs_json(found.pairs_of(i))}});
  }
  std::ofstream file(argv[1]);
  file << cases;
  return file.flush() ? 0 : 1;
}
