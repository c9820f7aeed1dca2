// Whatever is wrong with a command line or a file: one sentence, exit status 2, no output file.
#include <random>

#include "program.h"

namespace tandem::test {

namespace {

class BrokenInputTest : public ProgramTest {
 protected:
  // The mesh as A, as B, and for info. Nothing may be written, and an existing file must not
  // change.
  void expect_bad_mesh(const std::string& name, const std::vector<std::string>& parts) {
    write("pairs.txt", "old");
    expect_error({"info", name}, parts);
    expect_error({"collide", name, "shape:box", "--pairs", "pairs.txt", "--segments", "s.obj"},
                 parts);
    expect_error({"collide", "shape:box", name, "--json"}, parts);
  }
};

TEST_F(BrokenInputTest, TruncatedPly) {
  output({"make", "knot", "--triangles", "500", "-o", "whole.ply"});
  const std::string whole = read("whole.ply");
  for (const std::size_t size :
       {whole.size() - 1, whole.size() / 2, std::size_t{100}, std::size_t{3}}) {
    write("cut.ply", whole.substr(0, size));
    expect_bad_mesh("cut.ply", {"cut.ply"});
  }
}

TEST_F(BrokenInputTest, ObjWithBadIndices) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* face :
       {"f 1 2 4\n", "f 0 1 2\n", "f 1 2 -4\n", "f 1 2 x\n", "f 1 2 99999999999999999999\n"}) {
    write("bad.obj", vertices + face);
    expect_bad_mesh("bad.obj", {"bad.obj", "4"});
  }
}

TEST_F(BrokenInputTest, NotANumber) {
  write("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_bad_mesh("nan.obj", {"nan.obj"});
  write("inf.off", "OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n");
  expect_bad_mesh("inf.off", {"inf.off"});
}

TEST_F(BrokenInputTest, EmptyFile) {
  for (const char* name : {"empty.ply", "empty.stl", "empty.off", "empty.obj", "empty.glb"}) {
    write(name, "");
    expect_bad_mesh(name, {name});
  }
}

TEST_F(BrokenInputTest, Directory) {
  std::filesystem::create_directory(folder_ / "folder.ply");
  expect_bad_mesh("folder.ply", {"folder.ply", "directory"});
  expect_bad_mesh(".", {});
}

TEST_F(BrokenInputTest, DevicesAreNotRead) {
  std::filesystem::create_symlink("/dev/zero", folder_ / "zero.ply");
  expect_bad_mesh("zero.ply", {"zero.ply", "device"});
}

TEST_F(BrokenInputTest, FilesBeyondTheLimits) {
  output({"make", "knot", "--triangles", "500", "-o", "knot.ply"});
  expect_error({"info", "knot.ply", "--max-bytes", "1K"}, {"knot.ply", "1024"});
  expect_error({"collide", "knot.ply", "shape:box", "--max-elements", "100"}, {"knot.ply", "100"});
  output({"info", "knot.ply", "--max-bytes", "1M", "--max-elements", "500"});
  for (const char* bytes : {"", "x", "1T", "-1", "1.5G", "99999999999G"}) {
    expect_error({"info", "knot.ply", "--max-bytes", bytes}, {"--max-bytes"});
  }
}

TEST_F(BrokenInputTest, Noise) {
  std::mt19937 random(7);
  std::string noise(5000, ' ');
  for (char& c : noise) c = static_cast<char>(random());
  for (const char* name :
       {"noise.ply", "noise.stl", "noise.off", "noise.obj", "noise.gltf", "noise.glb"}) {
    write(name, noise);
    expect_bad_mesh(name, {name});
  }
}

TEST_F(BrokenInputTest, MissingOrUnknownFiles) {
  expect_bad_mesh("missing.ply", {"missing.ply"});
  expect_bad_mesh("no_ending", {"no_ending"});
  write("mesh.xyz", "");
  expect_bad_mesh("mesh.xyz", {"mesh.xyz"});
  expect_bad_mesh("two\nlines.ply", {});
}

TEST_F(BrokenInputTest, BadShapes) {
  expect_bad_mesh("shape:", {});
  expect_bad_mesh("shape:klein", {"klein"});
  expect_bad_mesh("shape:knot:many", {"number of triangles", "'many'"});
  expect_bad_mesh("shape:knot:-5", {"number of triangles", "'-5'"});
  expect_bad_mesh("shape:knot:0", {"knot"});
  expect_bad_mesh("shape:knot:99999999999", {"knot"});
  expect_bad_mesh("shape:rock:100:x", {"seed", "'x'"});
  expect_bad_mesh("shape:rock:100:1:2", {"too many parts"});
}

TEST_F(BrokenInputTest, MatrixThatIsNotRigid) {
  write("pose.txt", "1 0.1 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  expect_error({"collide", "shape:box", "shape:box", "--pose-a", "pose.txt", "--pairs", "p.txt"},
               {"--pose-a", "pose.txt"});
}

TEST_F(BrokenInputTest, OutputFolderThatDoesNotExist) {
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "no/pairs.txt"},
               {"--pairs", "no/pairs.txt"});
  expect_error({"collide", "shape:box", "shape:box", "--segments", "no/s.obj"},
               {"--segments", "no/s.obj"});
  expect_error({"make", "knot", "--triangles", "100", "-o", "no/knot.ply"},
               {"--output", "no/knot.ply"});
  std::filesystem::create_directory(folder_ / "folder.ply");
  std::filesystem::create_directory(folder_ / "folder.obj");
  expect_error({"make", "knot", "-o", "folder.ply"}, {"folder.ply", "directory"});
  expect_error({"collide", "shape:box", "shape:box", "--segments", "folder.obj"}, {"folder.obj"});
  expect_error({"collide", "shape:box", "shape:box", "--pairs", ""}, {"--pairs"});
}

TEST_F(BrokenInputTest, BadOptions) {
  expect_error({"--bogus"}, {"unknown option '--bogus'", "tandem --help"});
  expect_error({"frobnicate"}, {"unknown command 'frobnicate'"});
  expect_error({"collide", "shape:box", "shape:box", "--bogus"},
               {"unknown option '--bogus'", "tandem collide --help"});
  expect_error({"collide", "--bogus", "shape:box"}, {"unknown option '--bogus'"});
  expect_error({"collide", "shape:box", "shape:box", "shape:box"},
               {"unexpected argument 'shape:box'"});
  expect_error({"collide"}, {"needs A"});
  expect_error({"collide", "shape:box"}, {"needs B"});
  expect_error({"collide", "shape:box", "shape:box", "--pose-b"}, {"--pose-b needs a value"});
  expect_error({"collide", "shape:box", "shape:box", "--first=no"}, {"--first takes no value"});
  expect_error({"collide", "a", "b", "--traversal", "x", "--traversal", "y"},
               {"--traversal may be given once"});
  expect_error({"collide", "shape:box", "shape:box", "--segments", "curve.ply"},
               {"--segments", ".obj"});
  expect_error({"collide", "shape:box", "shape:box", "--contacts", "c.txt"},
               {"--contacts", ".csv or .json"});
  expect_error({"collide", "shape:box", "shape:box", "--contacts", "c.csv", "--first"},
               {"--first and --contacts exclude each other"});
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "x.obj", "--segments", "./x.obj"},
               {"are the same file"});
  expect_error({"collide", "shape:box", "shape:box", "--pairs", "-", "--json"},
               {"standard output"});
  for (const auto& modes : std::vector<std::vector<std::string>>{
           {"--first", "--count"}, {"--first", "--pairs", "p.txt"}, {"--count", "--pairs", "-"}}) {
    std::vector<std::string> arguments = {"collide", "shape:box", "shape:box"};
    arguments.insert(arguments.end(), modes.begin(), modes.end());
    expect_error(arguments, {"--first, --count and --pairs exclude each other"});
  }
}

TEST_F(BrokenInputTest, UnknownTraversalNamesTheKnownOnes) {
  std::vector<std::string> parts = {"'magic'"};
  const Json list = json_output({"list", "--json"});
  for (const Json& traversal : list["traversals"]) parts.push_back(traversal["name"]);
  expect_error({"collide", "shape:box", "shape:box", "--traversal", "magic"}, parts);
}

TEST_F(BrokenInputTest, BadMakeOptions) {
  expect_error({"make"}, {"needs SHAPE"});
  expect_error({"make", "knot"}, {"needs", "output"});
  expect_error({"make", "klein", "-o", "k.ply"}, {"klein"});
  expect_error({"make", "knot", "--triangles", "x", "-o", "k.ply"}, {"--triangles", "'x'"});
  expect_error({"make", "knot", "--triangles", "0", "-o", "k.ply"}, {});
  expect_error({"make", "knot", "--seed", "-1", "-o", "k.ply"}, {"--seed", "'-1'"});
  expect_error({"make", "knot", "--subdivide", "40", "--triangles", "1000000000", "-o", "k.ply"},
               {});
  expect_error({"make", "knot", "--subdivide", "30", "-o", "k.ply"}, {"--subdivide", "30"});
  expect_error({"make", "knot", "-o", "k.off"}, {"k.off", ".ply, .obj or .stl"});
  expect_error({"make", "knot", "-o", "ply"}, {"'ply'", ".ply, .obj or .stl"});
  expect_error({"make", "knot", "-o", "k.xyz"}, {"k.xyz"});
}

}  // namespace
}  // namespace tandem::test
