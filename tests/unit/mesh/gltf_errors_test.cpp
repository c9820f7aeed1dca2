// Broken glTF and GLB files: one sentence that says what is wrong, and where.
#include <gtest/gtest.h>
#include <tandem/mesh_io.h>

#include <array>
#include <filesystem>

#include "support/gltf_files.h"

namespace tandem {
namespace {

using test::Bytes;
using test::error_of;
using test::Gltf;
using test::GltfText;
using test::parabola;
using test::read_text;
using test::TemporaryFolder;
using test::with;

TEST_F(Gltf, DataUris) {
  const GltfText file = parabola();
  const std::string data = test::base64(file.data);
  const auto read = [&](const std::string& uri) {
    return error_of([&] { read_text(MeshFormat::gltf, file.json(R"(,"uri":")" + uri + "\"")); });
  };
  EXPECT_EQ(read("data:application/gltf-buffer;base64," + data), "");
  EXPECT_EQ(read("data:;base64," + data), "");
  EXPECT_EQ(read("data:application/octet-stream;base64," + data + "AAA"), "");
  for (const std::string& uri : {"data:;base64," + data + "A",
                                 "data:;base64," + data + "A===", "data:;base64,!" + data.substr(1),
                                 "data:;base64," + data.substr(1) + "\\u0000"}) {
    EXPECT_EQ(read(uri), "m: buffer 0: its data is not base64");
  }
  EXPECT_EQ(read("data:;base64," + data.substr(4)),
            "m: buffer 0: it should have 72 bytes, but has only 69");
  EXPECT_EQ(read("data:application/octet-stream," + data),
            "m: buffer 0: its data URI is not of base64");
  EXPECT_EQ(read("data:;base64"), "m: buffer 0: its data URI is not of base64");
}

TEST_F(Gltf, BrokenContainersAreOneSentence) {
  using test::chunk;
  using test::glb_of;
  const GltfText file = parabola();
  const std::string json = chunk("JSON", test::padded(file.json(""), ' '));
  const std::string data = chunk(test::k_binary_chunk, file.data);
  const auto read = [](const std::string& content) {
    return error_of([&] { read_text(MeshFormat::gltf, content); });
  };
  EXPECT_EQ(read(glb_of(json + data)), "");
  EXPECT_EQ(read(glb_of(json + data + chunk("MORE", "1234"))), "");
  EXPECT_EQ(read(glb_of(json)), "m: buffer 0: nothing says where its data is");
  EXPECT_EQ(read(glb_of(json + chunk(test::k_binary_chunk, file.data.substr(4)))),
            "m: buffer 0: it should have 72 bytes, but has only 68");
  EXPECT_EQ(read(glb_of(data + json)), "m: byte 12: the first chunk, and no other, has to be JSON");
  EXPECT_TRUE(read(glb_of(json + json)).ends_with("the first chunk, and no other, has to be JSON"));
  EXPECT_TRUE(read(glb_of(json + chunk("MORE", "") + data))
                  .ends_with("binary data is not in the second chunk"));
  EXPECT_EQ(read(glb_of("")), "m: the file ends before its first chunk");
  EXPECT_EQ(read(glb_of(chunk("JSON", "{}{"))),
            "m: byte 12: the length of a chunk, 3, is not a multiple of four");
  EXPECT_EQ(read(glb_of(Bytes().add(0xfffffffcu).add_text("JSON{}  ").text())),
            "m: byte 12: a chunk has 4294967292 bytes, but only 4 are left");
  EXPECT_EQ(read(Bytes().add_text("glTF").add(1u).add(12u).text()),
            "m: this is GLB of version 1, but only 2 is read");
  EXPECT_EQ(read(Bytes().add_text("glTF").add(2u).add(99u).text()),
            "m: the header says that the file has 99 bytes, but it has 12");
  EXPECT_EQ(read("glTF"), "m: byte 4: the file ends in the middle of its data");
}

TEST_F(Gltf, BrokenJsonIsOneSentence) {
  const auto read = [](const std::string& content) {
    return error_of([&] { read_text(MeshFormat::gltf, content); });
  };
  EXPECT_EQ(read("solid x\nendsolid x\n"),
            "m: this is neither glTF, which is JSON, nor GLB, which starts with 'glTF'");
  const std::string structure =
      "m: this is not JSON: a bracket, comma, colon, name or value is missing or too many";
  EXPECT_EQ(read("{"), structure);
  EXPECT_EQ(read("{} {}"), structure);
  EXPECT_EQ(read("{\"a\":" + std::string(300000, '[')), structure);
  EXPECT_EQ(read("{\"a\":1,,}"), structure);
  EXPECT_EQ(read("{\"a"), "m: this is not JSON: a string does not end");
  EXPECT_EQ(read("{\"a\n\":1}"),
            "m: this is not JSON: a string has a character or an escape that is not allowed");
  EXPECT_EQ(read("{\"a\":1e999}"), "m: this is not JSON: a number is malformed or too large");
  EXPECT_EQ(read("{\"a\":\"\xff\"}"), "m: this is not JSON: it is not UTF-8");
  const std::string deep = "m: this is not JSON: arrays and objects are nested more than 256 deep";
  EXPECT_EQ(read("{\"a\":" + std::string(300000, '[') + std::string(300000, ']') + "}"), deep);
  EXPECT_EQ(read("{\"a\":" + std::string(300, '[') + std::string(300, ']') + "}"), deep);
  EXPECT_EQ(read("{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}"),
            "m: 'asset' is missing");
}

TEST_F(Gltf, BrokenFilesAreOneSentence) {
  const GltfText file = parabola();
  struct Case {
    std::string text;
    std::string message;
  };
  std::vector<Case> cases;
  // A part of the file with one text in it replaced.
  const auto add = [&](std::string GltfText::*part, const char* from, const char* to,
                       const char* message) {
    GltfText broken = file;
    broken.*part = with(broken.*part, from, to);
    cases.push_back({broken.text(), message});
  };
  add(&GltfText::asset, "2.0", "1.0", "this is glTF of version '1.0', but only 2 is read");
  add(&GltfText::asset, "2.0", "2.", "this is glTF of version '2.', but only 2 is read");
  add(&GltfText::asset, "\"version\":\"2.0\"", "", "'asset' says no 'version'");
  add(&GltfText::asset, "\"2.0\"", "2", "'version' is not a string");
  add(&GltfText::asset, "}", ",\"minVersion\":\"2.1\"}",
      "this needs a reader for version '2.1' of glTF, but this is for 2.0");
  add(&GltfText::asset, "\"2.0\"", "\"2.0\",\"version\":\"2.0\"", "'version' is given twice");
  add(&GltfText::views, "60},", "61},", "");
  add(&GltfText::views, "\"byteLength\":12", "\"byteLength\":13",
      "buffer view 1: it ends at byte 73 of a buffer that has only 72");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":9007199254740992",
      "buffer view 1: it ends at byte 9007199254741004 of a buffer that has only 72");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":18446744073709551615",
      "buffer view 1: 'byteOffset' is too large");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":-1",
      "buffer view 1: 'byteOffset' is not a whole number from 0 on");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":0.5",
      "buffer view 1: 'byteOffset' is not a whole number from 0 on");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":6e1", "");
  add(&GltfText::views, "{\"buffer\":0,\"byteLength\":60}", "{\"byteLength\":60}",
      "buffer view 0: 'buffer' is missing");
  add(&GltfText::views, "{\"buffer\":0,\"byteLength\":60}", "{\"buffer\":1,\"byteLength\":60}",
      "buffer view 0: it is in buffer 1, but there are only 1");
  add(&GltfText::views, "{\"buffer\":0,\"byteLength\":60}", "7",
      "buffer view 0: this is not an object");
  for (const std::string stride : {"8", "14", "256"}) {
    GltfText broken = file;
    broken.views = with(broken.views, "60}", "60,\"byteStride\":" + stride + "}");
    cases.push_back({broken.text(), "accessor 0: its elements of 12 bytes are " + stride +
                                        " bytes apart, but at most 252 and multiples of four are "
                                        "legal"});
  }
  add(&GltfText::views, "60}", "60,\"byteStride\":16}",
      "accessor 0: it ends at byte 76 of a buffer view that has only 60");
  add(&GltfText::views, "12}", "12,\"byteStride\":4}",
      "accessor 1: it is in a buffer view with a 'byteStride', which only vertices have");
  add(&GltfText::views, "\"byteOffset\":60", "\"byteOffset\":59",
      "accessor 1: it starts at byte 0 of a buffer view at byte 59, which is not aligned to 2");
  add(&GltfText::accessors, "\"count\":6", "\"count\":3,\"byteOffset\":1",
      "accessor 1: it starts at byte 1 of a buffer view at byte 60, which is not aligned to 2");
  add(&GltfText::accessors, "\"count\":5", "\"count\":4,\"byteOffset\":2",
      "accessor 0: it starts at byte 2 of a buffer view at byte 0, which is not aligned to 4");
  add(&GltfText::accessors, "\"count\":5", "\"count\":6",
      "accessor 0: it ends at byte 72 of a buffer view that has only 60");
  add(&GltfText::accessors, "\"count\":5", "\"count\":9007199254740992",
      "accessor 0: it ends at byte 108086391056891904 of a buffer view that has only 60");
  add(&GltfText::accessors, "\"count\":5", "\"count\":0", "accessor 0: it has no elements");
  add(&GltfText::accessors, "\"count\":5,", "", "accessor 0: 'count' is missing");
  add(&GltfText::accessors, "\"count\":5", "\"count\":null",
      "accessor 0: 'count' is not a whole number from 0 on");
  add(&GltfText::accessors, "\"count\":5", "\"count\":5,\"normalized\":1",
      "accessor 0: 'normalized' is not true or false");
  add(&GltfText::accessors, "\"count\":6", "\"count\":5",
      "mesh 0, primitive 0: 5 indices do not make whole triangles");
  add(&GltfText::accessors, "\"bufferView\":0,", "\"bufferView\":5,",
      "buffer view 5 is used, but there are only 2");
  add(&GltfText::accessors, "\"bufferView\":0,\"componentType\":5126,\"count\":5",
      "\"componentType\":5126,\"count\":2000000000",
      "accessor 0: it promises 2000000000 zeros, more than the file has bytes");
  add(&GltfText::accessors, "5126", "5125",
      "accessor 0: the component type 5125 cannot be used for positions");
  add(&GltfText::accessors, "5123", "5122",
      "accessor 1: the component type 5122 cannot be used for indices");
  add(&GltfText::accessors, "VEC3", "VEC4",
      "accessor 0: it is used for positions, but of the type 'VEC4' instead of 'VEC3'");
  add(&GltfText::accessors, "SCALAR", "VEC3",
      "accessor 1: it is used for indices, but of the type 'VEC3' instead of 'SCALAR'");
  add(&GltfText::primitives, "\"POSITION\":0", "\"POSITION\":[]",
      "mesh 0, primitive 0: 'POSITION' is not a whole number from 0 on");
  add(&GltfText::primitives, "\"POSITION\":0", "\"POSITION\":2",
      "mesh 0, primitive 0: it uses accessor 2, but there are only 2");
  add(&GltfText::primitives, "\"POSITION\":0", "\"POSITION\":4294967295",
      "mesh 0, primitive 0: 'POSITION' has an index that is too large");
  add(&GltfText::primitives, "\"attributes\":{\"POSITION\":0},", "",
      "mesh 0, primitive 0: 'attributes' is missing");
  add(&GltfText::primitives, "\"indices\":1", "\"mode\":7",
      "mesh 0, primitive 0: the mode 7 does not exist");
  add(&GltfText::primitives, "\"indices\":1", "\"mode\":4",
      "mesh 0, primitive 0: 5 vertices do not make whole triangles");
  add(&GltfText::primitives, "[{\"attributes\":{\"POSITION\":0},\"indices\":1}]", "[]",
      "mesh 0: there are no 'primitives'");
  add(&GltfText::nodes, "\"mesh\":0", "\"mesh\":1",
      "node 0: it shows mesh 1, but there are only 1");
  add(&GltfText::nodes, "}", ",\"children\":[0]}",
      "the scene shows node 0, which is a child of node 0");
  add(&GltfText::nodes, "}", "},{\"children\":[1]}",
      "node 1 is its own ancestor, or has such an ancestor");
  add(&GltfText::nodes, "}", ",\"children\":[2]}", "node 0: its child 2 is not one of the 1 nodes");
  add(&GltfText::nodes, "}", ",\"children\":[1,1]},{}",
      "node 1 is a child of node 0 and again of node 0");
  add(&GltfText::nodes, "}", "},{\"children\":[2]},{\"children\":[1]}",
      "node 1 is its own ancestor, or has such an ancestor");
  add(&GltfText::nodes, "}", ",\"rotation\":[0,0,0,0]}",
      "node 0: its 'rotation' is not a quaternion of length 1");
  add(&GltfText::nodes, "}", ",\"rotation\":[0,0,1]}",
      "node 0: 'rotation' is not an array of 4 numbers");
  add(&GltfText::nodes, "}", ",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"scale\":[1,1,1]}",
      "node 0: it has a 'matrix' and a 'translation', 'rotation' or 'scale'");
  add(&GltfText::nodes, "}", ",\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}",
      "node 0: the last row of its 'matrix' is not 0 0 0 1");
  add(&GltfText::nodes, "}", ",\"scale\":[1e300,1e300,1e300]}",
      "vertex 1 has a coordinate that is not finite");
  add(&GltfText::scenes, "[0]", "[0,0]", "the scene shows node 0 twice");
  add(&GltfText::scenes, "[0]", "[1]", "the scene shows node 1, but there are only 1");
  add(&GltfText::scenes, "{\"nodes\":[0]}", "", "there is no scene that says where its meshes are");
  for (const auto& [more, message] : std::vector<std::array<const char*, 2>>{
           {R"(,"scene":1)", "'scene' is 1, but there are only 1"},
           {R"(,"extensionsRequired":["KHR_draco_mesh_compression"])",
            "the file requires the extension 'KHR_draco_mesh_compression', which is not known"},
           {R"(,"extensionsRequired":"x")", "'extensionsRequired' is not an array"}}) {
    GltfText broken = file;
    broken.more = more;
    cases.push_back({broken.text(), message});
  }
  for (const Case& c : cases) {
    const std::string expected = c.message.empty() ? "" : "m: " + c.message;
    EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, c.text); }), expected) << c.text;
  }
}

TEST_F(Gltf, IndicesOutOfRangeAreNamed) {
  GltfText file = parabola();
  file.data[60 + 2 * 4] = 5;
  EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, file.text()); }),
            "m: mesh 0, primitive 0: it uses vertex 5, but there are only 5");
  // 65,536 vertices, the last of which 16-bit indices cannot name.
  file.data.replace(60, 6, std::string(4, '\0') + "\xff\xff");
  file.data += std::string(65536 * 12, '\0');
  file.views = with(file.views, R"({"buffer":0,"byteLength":60})",
                    R"({"buffer":0,"byteOffset":72,"byteLength":786432})");
  file.accessors = with(file.accessors, R"("count":5)", R"("count":65536)");
  EXPECT_EQ(error_of([&] { read_text(MeshFormat::gltf, file.binary()); }),
            "m: mesh 0, primitive 0: it uses vertex 65535, which its type of indices reserves");
}

TEST_F(Gltf, BuffersOutsideOfTheFoldersAreNotRead) {
  const TemporaryFolder outside;
  outside.write("b.bin", parabola().data);
  const TemporaryFolder folder;
  folder.write("b.bin", parabola().data);
  std::filesystem::create_symlink(outside.path() / "b.bin", folder.path() / "link.bin");
  std::filesystem::create_directory_symlink(outside.path(), folder.path() / "elsewhere");
  std::filesystem::create_symlink("b.bin", folder.path() / "inside.bin");
  const auto read = [&](const std::string& uri) {
    return read_mesh(folder.write("m.gltf", parabola().json(R"(,"uri":")" + uri + "\"")));
  };
  EXPECT_EQ(read("inside.bin").triangle_count(), 2u);
  for (const std::string& uri :
       {outside.path().string() + "/b.bin", "../" + outside.path().filename().string() + "/b.bin",
        "%2e%2e/" + outside.path().filename().string() + "/b.bin",
        "x/../../" + outside.path().filename().string() + "/b.bin",
        "file://" + outside.path().string() + "/b.bin", std::string("http://host/b.bin"),
        std::string("link.bin"), std::string("elsewhere/b.bin"), std::string("..")}) {
    const std::string message = error_of([&] { read(uri); });
    EXPECT_TRUE(message.ends_with("is outside of the file's folder, so it is not read")) << message;
  }
  for (const char* uri : {"", "a%00b", "a%", "a%2", "a%zz"}) {
    const std::string message = error_of([&] { read(uri); });
    EXPECT_TRUE(message.ends_with("is not the name of a file")) << message;
  }
  // The folder itself may be reached through a link.
  std::filesystem::create_directory_symlink(folder.path(), outside.path() / "here");
  read("b.bin");
  EXPECT_EQ(read_mesh(outside.path() / "here" / "m.gltf").triangle_count(), 2u);
}

TEST_F(Gltf, ABufferIsARegularFileWithinTheLimit) {
  const TemporaryFolder folder;
  folder.write("b.bin", parabola().data);
  std::filesystem::create_directory(folder.path() / "sub");
  const auto read = [&](const std::string& uri, std::uint64_t max_bytes) {
    const auto path = folder.write("m.gltf", parabola().json(R"(,"uri":")" + uri + "\""));
    return read_mesh(path, {.max_bytes = max_bytes});
  };
  EXPECT_TRUE(error_of([&] { read("sub", 1 << 20); }).ends_with("this is a directory, not a file"));
  // The file and its buffer together have this size.
  read("b.bin", 1 << 20);
  const std::uint64_t size = std::filesystem::file_size(folder.path() / "m.gltf") + 72;
  EXPECT_EQ(read("b.bin", size).triangle_count(), 2u);
  EXPECT_TRUE(error_of([&] {
                read("b.bin", size - 1);
              }).ends_with("there are more bytes than the 71 that are read"));
}

}  // namespace
}  // namespace tandem
