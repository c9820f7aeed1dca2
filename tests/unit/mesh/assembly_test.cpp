// Assemblies: the parts of files, what is shared between them, and connected components.
#include <gtest/gtest.h>
#include <tandem/assembly.h>
#include <tandem/mesh_info.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "support/assembly_checks.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using test::assemble_text;
using test::binary_stl;
using test::error_of;
using test::expect_parts_of;
using test::names_of;
using test::repeated;
using test::same_mesh;
using test::TemporaryFolder;

/// Eight vertices of a cube, for faces in any groups.
const std::string k_vertices =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";

/// Reads an OBJ both ways and compares.
Assembly parts_of_obj(const std::string& text) {
  const Assembly assembly = assemble_text(MeshFormat::obj, text);
  expect_parts_of(assembly, test::read_text(MeshFormat::obj, text));
  return assembly;
}

TEST(Parts, ObjectsAndGroups) {
  const Assembly assembly = parts_of_obj(k_vertices +
                                         "f 1 2 3\n"
                                         "o car\nf 2 3 4\ng wheel\nf 3 4 5\nf 4 5 6 7\n"
                                         "o bike\ng wheel\nf 5 6 7\n"
                                         "o car\ng  wheel # the other one\nf 6 7 8\n"
                                         "o\ng a \\\n b\nf 1 7 8\ng\nf 1 2 8\n");
  EXPECT_EQ(names_of(assembly),
            (std::vector<std::string>{"m", "car", "car/wheel", "bike/wheel", "a b"}));
  // The part of the file has its first and its last triangle, the car's wheel has two runs.
  EXPECT_EQ(assembly.meshes[0].triangle_count(), 2u);
  EXPECT_EQ(assembly.file_triangle(0, 1), 8u);
  EXPECT_EQ(assembly.meshes[2].triangle_count(), 4u);
  EXPECT_EQ(assembly.file_triangle(2, 3), 6u);
  // Vertices are those in use, in the order of their use.
  EXPECT_EQ(assembly.meshes[3].vertex_count(), 3u);
  EXPECT_EQ(assembly.meshes[3].vertices()[0], Vec3f(0, 0, 1));
}

TEST(Parts, ObjGroupsWithoutFacesAreNoParts) {
  // As some programs write it: the vertices are in a group of their own.
  const Assembly assembly =
      parts_of_obj("g default\n" + k_vertices + "g cube\nf 1 2 3\ng default\n");
  ASSERT_EQ(names_of(assembly), std::vector<std::string>{"cube"});
  // A single part is the mesh as it is, with the vertices that nothing uses.
  EXPECT_EQ(assembly.meshes[0].vertex_count(), 8u);
  EXPECT_TRUE(assemble_text(MeshFormat::obj, "g a\ng b\n").parts.empty());
}

TEST(Parts, SolidsOfStl) {
  const std::string facet =
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
      "endfacet\n";
  const std::string text = "solid left side\n" + facet + facet + "endsolid left side\nsolid\n" +
                           facet + "endsolid\nSOLID left\tside\n" + facet +
                           "endsolid\nsolid empty\nendsolid\n";
  const Assembly assembly = assemble_text(MeshFormat::stl, text);
  expect_parts_of(assembly, test::read_text(MeshFormat::stl, text));
  EXPECT_EQ(names_of(assembly), (std::vector<std::string>{"left side", "m", "left side 2"}));
  EXPECT_EQ(assembly.file_triangle(2, 0), 3u);
  EXPECT_TRUE(assembly.triangle_ids[0].empty());  // they follow each other

  const std::string binary = binary_stl("solid wheel", {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}});
  EXPECT_EQ(names_of(assemble_text(MeshFormat::stl, binary)), std::vector<std::string>{"m"});
}

TEST(Parts, OtherFormatsAreOnePartNamedAfterTheFile) {
  const TemporaryFolder folder;
  const Mesh rock = make_shape("rock", 100);
  write_mesh(rock, folder.path() / "big rock.v2.ply");
  const Assembly assembly = read_assembly(folder.path() / "big rock.v2.ply");
  EXPECT_EQ(names_of(assembly), std::vector<std::string>{"big rock.v2"});
  ASSERT_EQ(assembly.meshes.size(), 1u);
  EXPECT_TRUE(same_mesh(assembly.meshes[0], rock));
  EXPECT_EQ(names_of(assemble_text(MeshFormat::off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2")),
            std::vector<std::string>{"m"});
  EXPECT_TRUE(assemble_text(MeshFormat::off, "OFF\n0 0 0").parts.empty());
  const std::string_view off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2";
  EXPECT_EQ(names_of(read_assembly(std::as_bytes(std::span(off)), MeshFormat::off, "")),
            std::vector<std::string>{"part"});
}

TEST(Parts, NamesDoNotRepeat) {
  std::string text;
  for (const char* name : {"a", "a 2", "a", "a", "b 3", "b", "b", "b", "a 2"}) {
    text += std::string("solid ") + name +
            "\nfacet\nouter\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
            "endsolid\n";
  }
  EXPECT_EQ(
      names_of(assemble_text(MeshFormat::stl, text)),
      (std::vector<std::string>{"a", "a 2", "a 3", "a 4", "b 3", "b", "b 2", "b 4", "a 2 2"}));
}

TEST(Parts, ErrorsAreThoseOfMeshes) {
  for (const char* text : {"", "g a\nf 1 2 3\n", "v 0 0 x\n", "v 0 0 0\ng a\nf 1 1\n", "what\n"}) {
    EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::obj, text); }),
              error_of([&] { test::read_text(MeshFormat::obj, text); }));
    EXPECT_NE(error_of([&] { assemble_text(MeshFormat::obj, text); }), "") << text;
  }
  const ReadOptions few{.max_elements = 3};
  EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::obj, k_vertices, few); }),
            "m: there are more vertices than the 3 that are read");
  EXPECT_EQ(error_of([&] { read_assembly("no.ply"); }),
            "no.ply: cannot be read: No such file or directory");
  EXPECT_NE(error_of([&] { read_assembly("no.xyz"); }), "");
}

TEST(Parts, LongNamesAreErrors) {
  const std::string half(500, 'x');
  const std::string text = k_vertices + "o " + half + "\ng " + half.substr(1) + "\nf 1 2 3\n";
  EXPECT_EQ(parts_of_obj(text).parts[0].name.size(), 1000u);
  EXPECT_EQ(error_of([&] { assemble_text(MeshFormat::obj, text + "g " + half + "\n"); }),
            "m: line 12: the name of a part has 1001 bytes, but at most 1000 are read");
  EXPECT_EQ(
      error_of([&] { assemble_text(MeshFormat::stl, "solid " + half + half + "x\nendsolid\n"); }),
      "m: line 1: the name of a part has 1001 bytes, but at most 1000 are read");
  // A mesh without parts has no names.
  EXPECT_EQ(test::read_text(MeshFormat::obj, text + "g " + half + "\n").triangle_count(), 1u);
}

/// Vertices and faces with objects and groups in between, some of which have no faces.
std::string random_obj(detail::Random& random) {
  std::string text;
  std::size_t vertex_count = 0;
  const auto add_vertices = [&](std::uint64_t count) {
    for (; count > 0; --count, ++vertex_count) {
      text += 'v';
      for (int axis = 0; axis < 3; ++axis) {
        text += ' ';
        text += "012"[random.below(3)];
      }
      text += '\n';
    }
  };
  add_vertices(3);
  for (std::uint64_t line = random.below(60); line > 0; --line) {
    switch (random.below(8)) {
      case 0:
        text += "o ";
        text += "abc"[random.below(3)];
        text += '\n';
        break;
      case 1:
        text += "g ";
        text += "ab "[random.below(3)];
        text += ' ';
        text += "ab "[random.below(3)];
        text += '\n';
        break;
      case 2:
        add_vertices(random.below(4));
        break;
      default:
        text += 'f';
        for (std::uint64_t corners = 3 + random.below(3); corners > 0; --corners) {
          text += ' ';
          text += std::to_string(1 + random.below(vertex_count));
        }
        text += '\n';
        break;
    }
  }
  return text;
}

TEST(Parts, RandomObjFilesHaveTheTrianglesOfTheirMeshes) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    detail::Random random(seed);
    const std::string text = random_obj(random);
    const Assembly assembly = parts_of_obj(text);
    expect_parts_of(split_components(assembly), test::read_text(MeshFormat::obj, text));
  }
}

TEST(Parts, HostileTextStaysBounded) {
  // Many groups, names that repeat, and names that take the place of others.
  std::string groups = k_vertices;
  for (int i = 0; i < 50000; ++i) {
    groups += "g " + std::to_string(i % 20000) + "\nf 1 2 3\n";
  }
  groups += repeated("g\n", 100000) + repeated("o x\n", 100000);
  EXPECT_EQ(parts_of_obj(groups).parts.size(), 20000u);

  const std::string facet =
      "\nfacet\nouter\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
  std::string solids;
  for (int i = 2; i < 10000; ++i) solids += "solid a " + std::to_string(i) + facet;
  for (int i = 0; i < 10000; ++i) solids += "solid a" + facet;
  const Assembly assembly = assemble_text(MeshFormat::stl, solids);
  EXPECT_EQ(assembly.parts.size(), 19998u);
  expect_parts_of(assembly, test::read_text(MeshFormat::stl, solids));
}

TEST(Parts, ScaleAndPoseOfReading) {
  const std::string text = k_vertices + "f 1 2 3\ng a\nf 6 7 8\n";
  const Pose pose = Pose::from_axis_angle({0, 0, 1}, 0.5, {1, 2, 3});
  const ReadOptions options{.scale = 0.001, .pose = pose};
  const Assembly assembly = assemble_text(MeshFormat::obj, text, options);
  const Mesh whole = read_mesh(std::as_bytes(std::span(text)), MeshFormat::obj, "m", options);
  expect_parts_of(assembly, whole);
  EXPECT_EQ(assembly.meshes[1].vertices()[0], Vec3f(0.001f, 0, 0.001f));
  EXPECT_EQ(assembly.parts[1].pose.translation(), Vec3d(1, 2, 3));
}

/// The components by flood fill: from each triangle that none has yet to all that it touches in a
/// corner.
std::vector<std::size_t> components_by_flooding(const Mesh& mesh) {
  constexpr std::size_t k_none = ~std::size_t{0};
  std::vector<std::size_t> component(mesh.triangle_count(), k_none);
  const auto share_a_corner = [&](std::size_t a, std::size_t b) {
    for (const Vec3f& p : mesh.triangle(a).corner) {
      for (const Vec3f& q : mesh.triangle(b).corner) {
        if (p == q) return true;
      }
    }
    return false;
  };
  std::size_t count = 0;
  for (std::size_t start = 0; start < component.size(); ++start) {
    if (component[start] != k_none) continue;
    std::vector<std::size_t> reached{start};
    component[start] = count;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t next = 0; next < component.size(); ++next) {
        if (component[next] != k_none || !share_a_corner(reached[i], next)) continue;
        component[next] = count;
        reached.push_back(next);
      }
    }
    ++count;
  }
  return component;
}

void expect_components(const Mesh& mesh) {
  const Assembly split = split_components(mesh, "m");
  expect_parts_of(split, mesh);
  const std::vector<std::size_t> expected = components_by_flooding(mesh);
  const std::size_t count =
      expected.empty() ? 0 : *std::max_element(expected.begin(), expected.end()) + 1;
  ASSERT_EQ(split.parts.size(), count);
  EXPECT_EQ(describe(mesh).component_count, count);
  for (std::size_t part = 0; part < count; ++part) {
    EXPECT_EQ(split.parts[part].name, "m/" + std::to_string(part + 1));
    const std::size_t size = split.meshes[split.parts[part].mesh].triangle_count();
    for (std::size_t t = 0; t < size; ++t) {
      EXPECT_EQ(expected[split.file_triangle(part, t)], part);
    }
  }
}

TEST(ComponentParts, ConnectByPositionsWhateverTheVertices) {
  expect_components(Mesh());
  expect_components(Mesh({{1, 2, 3}}, {}));
  // 0 and -0 are one position; a component in two runs; zero-area triangles connect too.
  expect_components(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}, {-0.0f, -0.0f, 0}, {9, 9, 9}},
                         {{0, 1, 2}, {3, 3, 3}, {4, 5, 5}, {5, 5, 5}}));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    detail::Random random(seed);
    std::vector<Vec3f> vertices;
    const std::uint64_t grid = 1 + random.below(6);
    const auto coordinate = [&] {
      const auto x = static_cast<float>(random.below(grid));
      return x == 0 && random.below(2) == 0 ? -0.0f : x;
    };
    for (std::uint64_t i = 1 + random.below(60); i > 0; --i) {
      vertices.emplace_back(coordinate(), coordinate(), coordinate());
    }
    std::vector<TriangleIndices> triangles;
    for (std::uint64_t i = random.below(60); i > 0; --i) {
      const auto vertex = [&] { return static_cast<std::uint32_t>(random.below(vertices.size())); };
      triangles.push_back({vertex(), vertex(), vertex()});
    }
    expect_components(Mesh(std::move(vertices), std::move(triangles)));
  }
}

TEST(ComponentParts, PartsThatShareAMeshShareItsComponents) {
  const Mesh two({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 5}, {1, 0, 5}, {0, 1, 5}},
                 {{0, 1, 2}, {3, 4, 5}, {2, 1, 0}});
  Assembly assembly;
  assembly.meshes = {two};
  assembly.parts = {{.name = "left", .mesh = 0, .pose = Pose::from_translation({-1, 0, 0})},
                    {.name = "right", .mesh = 0, .pose = {}, .first_triangle = 3}};
  const Assembly split = split_components(assembly);
  EXPECT_EQ(names_of(split), (std::vector<std::string>{"left/1", "left/2", "right/1", "right/2"}));
  ASSERT_EQ(split.meshes.size(), 2u);
  EXPECT_EQ(split.parts[2].mesh, 0u);
  EXPECT_EQ(split.parts[1].pose.translation(), Vec3d(-1, 0, 0));
  EXPECT_EQ(split.file_triangle(2, 0), 3u);
  EXPECT_EQ(split.file_triangle(2, 1), 5u);
  EXPECT_EQ(split.file_triangle(3, 0), 4u);

  assembly.parts[1].mesh = 1;
  EXPECT_EQ(error_of([&] { split_components(assembly); }),
            "the part 'right' shows mesh 1, but there are only 1");
}

TEST(ComponentParts, OfAnEngine) {
  const auto file = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes/engine_2cyl.ply";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const Assembly engine = read_assembly(file);
  ASSERT_EQ(engine.parts.size(), 1u);
  const auto start = std::chrono::steady_clock::now();
  const Assembly split = split_components(engine);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(split.parts.size(), 85u);
  EXPECT_EQ(split.parts[84].name, "engine_2cyl/85");
  expect_parts_of(split, engine.meshes[0]);
  RecordProperty("milliseconds", std::to_string(1000 * time.count()));
}

}  // namespace
}  // namespace tandem
