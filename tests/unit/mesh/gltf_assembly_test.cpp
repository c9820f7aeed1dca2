// Nodes of a glTF as parts of an assembly: what they share, where they stand, what they are called.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "math/random.h"
#include "support/assembly_checks.h"
#include "support/gltf_files.h"

namespace tandem {
namespace {

using test::assemble_text;
using test::error_of;
using test::expect_parts_of;
using test::Gltf;
using test::GltfText;
using test::names_of;
using test::parabola;
using test::read_text;
using test::with;

/// Appends an item to the items of a list.
void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ',';
  list += item;
}

std::string in_brackets(const std::string& list) {
  std::string text(1, '[');
  text += list;
  text += ']';
  return text;
}

/// The parabola, two triangles, shown by these nodes, all of which are roots.
GltfText shown_by(const std::vector<std::string>& nodes) {
  std::string list;
  std::string roots;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    append(list, nodes[i]);
    append(roots, std::to_string(i));
  }
  GltfText file = parabola();
  file.nodes = in_brackets(list);
  file.scenes = R"([{"nodes":)" + in_brackets(roots) + "}]";
  return file;
}

/// Reads it both ways and compares.
Assembly parts_of(const GltfText& file) {
  const Assembly assembly = assemble_text(MeshFormat::gltf, file.text());
  expect_parts_of(assembly, read_text(MeshFormat::gltf, file.text()));
  return assembly;
}

std::vector<std::uint32_t> meshes_of(const Assembly& assembly) {
  std::vector<std::uint32_t> meshes;
  for (const AssemblyPart& part : assembly.parts) meshes.push_back(part.mesh);
  return meshes;
}

/// A quarter turn around z times a scale, as a matrix in columns.
std::string quarter_turn(const std::string& scale) {
  return R"({"mesh":0,"matrix":[0,)" + scale + ",0,0,-" + scale + ",0,0,0,0,0," + scale +
         ",0,3,2,1,1]}";
}

TEST_F(Gltf, RigidNodesShareTheMeshAsItIs) {
  const GltfText file = shown_by({R"({"mesh":0})", R"({"mesh":0,"translation":[1,2,3]})",
                                  R"({"mesh":0,"rotation":[0.5,0.5,-0.5,0.5]})", quarter_turn("1"),
                                  quarter_turn("1.0000001")});
  const Assembly assembly = parts_of(file);
  ASSERT_EQ(assembly.meshes.size(), 1u);
  EXPECT_EQ(assembly.meshes[0].vertices()[2], Vec3f(2, 4, 0));
  EXPECT_EQ(assembly.parts[1].pose.translation(), Vec3d(1, 2, 3));
  EXPECT_EQ(assembly.parts[3].pose.rotation(1, 0), 1);
  EXPECT_EQ(assembly.parts[4].pose.rotation(1, 0), 1.0000001);
  EXPECT_EQ(assembly.file_triangle(4, 1), 9u);
}

TEST_F(Gltf, ScaledNodesShareAScaledMesh) {
  // The scale of a matrix is rounded as files do it; it still is that of the others.
  const GltfText file =
      shown_by({R"({"mesh":0,"scale":[2,2,2]})", quarter_turn("2"), quarter_turn("2.0000001"),
                R"({"mesh":0,"scale":[2,2,2],"rotation":[0.6,0,0,0.8],"translation":[1,0,0]})",
                R"({"mesh":0,"scale":[1.9999999,1.9999999,1.9999999]})", R"({"mesh":0})",
                R"({"mesh":0,"scale":[3,3,3]})"});
  const Assembly assembly = parts_of(file);
  EXPECT_EQ(meshes_of(assembly), (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(assembly.meshes[0].vertices()[2], Vec3f(4, 8, 0));
  EXPECT_EQ(assembly.parts[0].pose.rotation(0, 0), 1);
  EXPECT_EQ(assembly.parts[3].pose.translation(), Vec3d(1, 0, 0));
}

TEST_F(Gltf, OtherTransformsAreBaked) {
  const std::string mirrored = R"({"mesh":0,"scale":[-1,1,1],"translation":[0,0,)";
  const std::string sheared = R"({"mesh":0,"matrix":[1,0,0,0,1,1,0,0,0,0,1,0,0,0,)";
  const GltfText file = shown_by(
      {mirrored + "1]}", mirrored + "2]}", R"({"mesh":0,"scale":[-1,-1,-1]})", sheared + "1,1]}",
       sheared + "-4,1]}", R"({"mesh":0,"scale":[1,2,1]})", R"({"mesh":0,"scale":[0,0,0]})"});
  const Assembly assembly = parts_of(file);
  EXPECT_EQ(meshes_of(assembly), (std::vector<std::uint32_t>{0, 0, 1, 2, 2, 3, 4}));
  for (const AssemblyPart& part : assembly.parts) EXPECT_TRUE(part.pose.is_translation());
  EXPECT_EQ(assembly.parts[1].pose.translation(), Vec3d(0, 0, 2));
  EXPECT_EQ(assembly.meshes[2].vertices()[2], Vec3f(6, 4, 0));
}

TEST_F(Gltf, NamesOfParts) {
  GltfText file =
      shown_by({R"({"mesh":0,"name":"left"})", R"({"mesh":0})", R"({"mesh":0,"name":"left"})",
                R"({"name":"no mesh"})", R"({"mesh":0,"name":""})"});
  EXPECT_EQ(names_of(parts_of(file)),
            (std::vector<std::string>{"left", "node 1", "left 2", "node 4"}));
  const std::string named = with(file.text(), R"("meshes":[{)", R"("meshes":[{"name":"bolt",)");
  EXPECT_EQ(names_of(assemble_text(MeshFormat::gltf, named)),
            (std::vector<std::string>{"left", "bolt", "left 2", "bolt 2"}));

  // What is not used cannot be wrong.
  const auto both = [](const std::string& text) {
    EXPECT_NO_THROW(read_text(MeshFormat::gltf, text));
    return error_of([&] { assemble_text(MeshFormat::gltf, text); });
  };
  EXPECT_EQ(both(with(named, "\"no mesh\"", "7")), "m: node 3: 'name' is not a string");
  EXPECT_EQ(both(with(named, "bolt", std::string(1001, 'b'))),
            "m: mesh 0: the name of a part has 1001 bytes, but at most 1000 are read");
  EXPECT_EQ(both(with(named, "bolt", std::string(1000, 'b'))), "");
}

TEST_F(Gltf, NodesWithoutTrianglesAreNoParts) {
  GltfText file = shown_by({R"({"mesh":0})", "{}"});
  file.primitives = R"([{"attributes":{"POSITION":0},"mode":0}])";
  const Assembly assembly = parts_of(file);
  EXPECT_TRUE(assembly.parts.empty());
  EXPECT_TRUE(assembly.meshes.empty());
}

TEST_F(Gltf, ScaleAndPoseOfAnAssembly) {
  const GltfText file = shown_by({R"({"mesh":0,"scale":[2,2,2],"translation":[1,2,3]})",
                                  R"({"mesh":0,"rotation":[0.6,0,0,0.8]})",
                                  R"({"mesh":0,"scale":[1,1,-1],"translation":[0,0,8]})"});
  const ReadOptions options{.scale = 0.5, .pose = Pose::from_axis_angle({1, 1, 0}, 1, {7, 8, 9})};
  const std::string text = file.text();
  const Assembly assembly = assemble_text(MeshFormat::gltf, text, options);
  expect_parts_of(assembly,
                  read_mesh(std::as_bytes(std::span(text)), MeshFormat::gltf, "m", options));
  EXPECT_EQ(assembly.meshes[0].vertices()[2], Vec3f(2, 4, 0));
  const Assembly scaled = assemble_text(MeshFormat::gltf, text, {.scale = 0.5});
  EXPECT_EQ(scaled.parts[0].pose.translation(), Vec3d(0.5, 1, 1.5));
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// So many random numbers in brackets.
std::string random_numbers(int count, detail::Random& random) {
  std::string list;
  for (int i = 0; i < count; ++i) append(list, number(random.uniform(-3, 3)));
  return in_brackets(list);
}

std::string random_rotation(detail::Random& random) {
  double q[4];
  double length_sq = 0;
  for (double& x : q) {
    x = random.uniform(-1, 1);
    length_sq += x * x;
  }
  std::string list;
  for (const double x : q) append(list, number(x / std::sqrt(length_sq)));
  return in_brackets(list);
}

/// Members of a node: a transform of a random kind.
std::string random_transform(detail::Random& random) {
  constexpr const char* k_scales[] = {"[2,2,2]", "[0.001,0.001,0.001]", "[-2,-2,-2]", "[1,2,3]",
                                      "[1,1,-1]"};
  std::string text;
  const std::uint64_t kind = random.below(5);
  if (kind == 4) {
    std::string matrix;
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) append(matrix, number(random.uniform(-3, 3)));
      append(matrix, column < 3 ? "0" : "1");
    }
    text += R"(,"matrix":)";
    text += in_brackets(matrix);
  }
  if (kind == 1 || kind == 2) {
    text += R"(,"translation":)";
    text += random_numbers(3, random);
  }
  if (kind == 2 || kind == 3) {
    text += R"(,"rotation":)";
    text += random_rotation(random);
  }
  if (kind == 3) {
    text += R"(,"scale":)";
    text += k_scales[random.below(5)];
  }
  return text;
}

TEST_F(Gltf, RandomTreesOfNodesHaveTheTrianglesOfTheirMesh) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    detail::Random random(seed);
    // Node i is a child of an earlier one, or a root.
    const std::size_t count = 1 + random.below(12);
    std::vector<std::string> children(count);
    std::string roots;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t parent = random.below(i + 1);
      append(parent == i ? roots : children[parent], std::to_string(i));
    }
    std::string nodes;
    for (std::size_t i = 0; i < count; ++i) {
      std::string node = random.below(4) == 0 ? R"({"extras":1)" : R"({"mesh":0)";
      node += random_transform(random);
      if (!children[i].empty()) {
        node += R"(,"children":)";
        node += in_brackets(children[i]);
      }
      node += '}';
      append(nodes, node);
    }
    GltfText file = parabola();
    file.nodes = in_brackets(nodes);
    file.scenes = R"([{"nodes":)" + in_brackets(roots) + "}]";
    parts_of(file);
  }
}

TEST_F(Gltf, InstancesTakeNoSpace) {
  // 20,000 times 100,000 triangles: as one mesh an attack, as an assembly one mesh.
  constexpr std::size_t k_count = 20000;
  GltfText file = shown_by(std::vector<std::string>(k_count, R"({"mesh":0})"));
  file.data += std::string(300000, '\0');
  file.views = with(file.views, R"("byteLength":12)", R"("byteLength":300012)");
  file.accessors = R"([{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},)"
                   R"({"bufferView":1,"componentType":5121,"count":300000,"type":"SCALAR"}])";
  EXPECT_NE(error_of([&] { read_text(MeshFormat::gltf, file.text()); }), "");
  const Assembly assembly = assemble_text(MeshFormat::gltf, file.text());
  EXPECT_EQ(assembly.parts.size(), k_count);
  EXPECT_EQ(assembly.meshes.size(), 1u);
  EXPECT_EQ(assembly.file_triangle(k_count - 1, 99999), k_count * 100000 - 1);

  // Each with a scale of its own, it is an attack again.
  std::vector<std::string> nodes;
  for (std::size_t i = 0; i < k_count; ++i) {
    const std::string scale = std::to_string(i + 1);
    nodes.push_back(R"({"mesh":0,"scale":[)" + scale + "," + scale + "," + scale + "]}");
  }
  const GltfText scaled = shown_by(nodes);
  file.nodes = scaled.nodes;
  const std::string message = error_of([&] { assemble_text(MeshFormat::gltf, file.text()); });
  EXPECT_TRUE(message.starts_with("m: there are more triangles than the ")) << message;
  const ReadOptions few{.max_elements = 100000};
  EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::gltf, file.text(), few); }),
            "m: there are more triangles than the 100000 that are read");
}

TEST_F(Gltf, TransformsBeyondAnyPose) {
  EXPECT_EQ(error_of([&] {
              parts_of(shown_by({"{}", R"({"mesh":0,"translation":[0,1e70,0]})"}));
            }),
            "m: node 1: the pose's translation along y is 1e+70; it must be finite and at most "
            "1e60 in magnitude");
  GltfText chain = parabola();
  chain.nodes = R"([{"scale":[1e200,1,1],"children":[1]},{"mesh":0,"scale":[1e200,1,1]}])";
  EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::gltf, chain.text()); }),
            "m: node 1: its transform has an entry that is not finite");
  EXPECT_EQ(error_of([&] {
              assemble_text(MeshFormat::gltf,
                            shown_by({R"({"mesh":0,"scale":[1e300,1e300,1e300]})"}).text());
            }),
            "m: mesh 0: vertex 1 has a coordinate that is not finite");
  const GltfText moved = shown_by({R"({"mesh":0,"translation":[1e50,0,0]})"});
  EXPECT_EQ(assemble_text(MeshFormat::gltf, moved.text()).parts[0].pose.translation().x, 1e50);
  EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::gltf, moved.text(), {.scale = 1e30}); }),
            "m: node 0: the pose's translation along x is 1e+80; it must be finite and at most "
            "1e60 in magnitude");
}

}  // namespace
}  // namespace tandem
