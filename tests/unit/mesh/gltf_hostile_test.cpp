// Thousands of hostile glTF files, each of which is a mesh or one sentence, soon and in little
// memory. With TANDEM_HOSTILE_FILES=FOLDER in the environment they are also written there, so that
// programs can be tried on them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "math/random.h"
#include "support/assembly_checks.h"
#include "support/gltf_files.h"

namespace tandem {
namespace {

using test::assemble_text;
using test::Bytes;
using test::Gltf;
using test::GltfText;
using test::parabola;
using test::read_text;
using test::repeated;
using test::sparse_parabola;
using test::with;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool k_is_sanitized = true;
#elif defined(__has_feature)
constexpr bool k_is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool k_is_sanitized = false;
#endif

/// "[0,1,2,...]".
std::string counting(int count) {
  std::string result = "[0";
  for (int i = 1; i < count; ++i) {
    result += ',';
    result += std::to_string(i);
  }
  return result + "]";
}

/// Positions of integers.
GltfText quantized() {
  GltfText file = parabola();
  file.accessors =
      R"([{"bufferView":0,"componentType":5122,"normalized":true,"count":7,"type":"VEC3"},)"
      R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
  file.views = R"([{"buffer":0,"byteLength":60,"byteStride":8},)"
               R"({"buffer":0,"byteOffset":60,"byteLength":12}])";
  file.more = R"(,"scene":0,"extensionsRequired":["KHR_mesh_quantization"])";
  return file;
}

/// Several nodes with every kind of transform.
GltfText scene() {
  GltfText file = parabola();
  file.primitives = R"([{"attributes":{"POSITION":0},"indices":1,"mode":5},
                        {"attributes":{"POSITION":0},"mode":6}])";
  file.nodes = R"([{"mesh":0,"children":[1,2]},{"mesh":0,"scale":[2,2,2]},
      {"mesh":0,"translation":[1,2,3],"rotation":[0,0,0,1],"children":[3]},
      {"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}])";
  return file;
}

using Files = std::vector<std::string>;

/// Files that each try to be expensive.
void add_large(Files& files) {
  files.push_back("{\"a\":" + std::string(300000, '['));
  files.push_back("{\"a\":" + std::string(300000, '[') + std::string(300000, ']') + "}");
  files.push_back(repeated("{\"a\":", 100000));
  files.push_back("{" + repeated("\"asset\":{},", 100000) + "\"a\":1}");
  files.push_back("{\"asset\":\"" + std::string(1000000, 'a'));

  GltfText chain = parabola();
  chain.nodes = "[";
  for (int i = 1; i < 20000; ++i) chain.nodes += R"({"children":[)" + std::to_string(i) + "]},";
  files.push_back(chain.text() + " ");
  chain.nodes += R"({"mesh":0}])";
  files.push_back(chain.text());
  chain.nodes = with(chain.nodes, R"({"mesh":0}])", R"({"mesh":0,"children":[0]}])");
  files.push_back(chain.text());

  // Each node has the next one for both of its children: 2^60 ways to the last.
  GltfText shared = parabola();
  shared.nodes = "[";
  for (int i = 1; i < 60; ++i) {
    const std::string next = std::to_string(i);
    shared.nodes += R"({"children":[)" + next + "," + next + "]},";
  }
  shared.nodes += R"({"mesh":0}])";
  files.push_back(shared.text());

  GltfText crowd = parabola();
  crowd.nodes = "[{}" + repeated(",{}", 300000) + "]";
  files.push_back(crowd.text());
  crowd.nodes = "[{\"mesh\":0}" + repeated(",{\"mesh\":0}", 20000) + "]";
  crowd.scenes = R"([{"nodes":)" + counting(20000) + "}]";
  files.push_back(crowd.text());
  crowd.data += std::string(300000, '\0');
  crowd.views = with(crowd.views, R"("byteLength":12)", R"("byteLength":300012)");
  crowd.accessors = R"([{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},)"
                    R"({"bufferView":1,"componentType":5121,"count":300000,"type":"SCALAR"}])";
  files.push_back(crowd.text());

  GltfText zeros = parabola();
  for (const char* count : {"5", "6", "1000", "2147483647", "4294967295", "9007199254740992"}) {
    zeros.accessors = std::string(R"([{"componentType":5126,"type":"VEC3","count":)") + count +
                      R"(},{"componentType":5125,"type":"SCALAR","count":)" + count + "}]";
    files.push_back(zeros.text());
  }
  zeros.primitives = "[" + repeated(R"({"attributes":{"POSITION":0},"indices":1},)", 100000) +
                     R"({"attributes":{"POSITION":0}}])";
  zeros.accessors = R"([{"componentType":5126,"type":"VEC3","count":3000000},)"
                    R"({"componentType":5125,"type":"SCALAR","count":3000000}])";
  files.push_back(zeros.text());

  GltfText many_primitives = sparse_parabola();
  many_primitives.primitives = "[" + repeated(R"({"attributes":{"POSITION":0},"mode":1},)", 50000) +
                               R"({"attributes":{"POSITION":0},"indices":1}])";
  files.push_back(many_primitives.text());
}

/// Buffers that are elsewhere, and containers whose lengths are wrong.
void add_buffers(Files& files) {
  const GltfText file = parabola();
  for (const char* uri : {"/etc/passwd",
                          "../../../../etc/passwd",
                          "%2e%2e/%2e%2e/etc/passwd",
                          "file:///etc/passwd",
                          "http://localhost/x",
                          "/dev/zero",
                          "/dev/stdin",
                          ".",
                          "..",
                          "",
                          "%",
                          "%0",
                          "%00",
                          "a%00b",
                          "data:",
                          "data:,",
                          "data:;base64,",
                          "data:;base64,=",
                          "data:;base64,====",
                          "data:;base64,AAAAA",
                          "data:;base64,\\u0000\\u0000\\u0000\\u0000",
                          "\\ud800",
                          "x.bin"}) {
    files.push_back(file.json(std::string(R"(,"uri":")") + uri + "\""));
  }
  const std::string binary = file.binary();
  for (std::size_t word = 0; word < 20; word += 4) {
    for (const std::uint32_t value : {0u, 1u, 2u, 3u, 4u, 12u, 20u, 0x7fffffffu, 0x80000000u,
                                      0xfffffff0u, 0xfffffffcu, 0xffffffffu}) {
      std::string broken = binary;
      files.push_back(broken.replace(word, 4, Bytes().add(value).text()));
    }
  }
}

/// Every number, string and name in turn becomes something else, or is left out.
void add_replacements(const std::string& text, Files& files) {
  const auto is_part_of_token = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '"' || c == '-';
  };
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_part_of_token(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && is_part_of_token(text[end])) ++end;
    const bool is_short = end - begin < 40;  // the data of a buffer is not
    for (const char* value : {"0",
                              "1",
                              "-1",
                              "0.5",
                              "255",
                              "65536",
                              "2147483647",
                              "4294967295",
                              "4294967296",
                              "9007199254740992",
                              "18446744073709551615",
                              "1e308",
                              "null",
                              "true",
                              "[]",
                              "{}",
                              "\"x\"",
                              "\"byteLength\"",
                              "[0,0]",
                              ""}) {
      if (is_short) files.push_back(text.substr(0, begin) + value + text.substr(end));
    }
    begin = end;
  }
}

/// Any bytes become any others.
void add_mutations(const Files& good, Files& files) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    detail::Random random(seed);
    std::string content = good[random.below(good.size())];
    test::mutate(content, "0123456789 -.,:[]{}\"", 40, random);
    files.push_back(content);
  }
}

long peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Whether the call throws; what it throws has to be a sentence.
template <class Read>
bool is_error(Read read) {
  try {
    read();
    return false;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    EXPECT_TRUE(message.starts_with("m: ") && message.size() < 200) << message;
    for (const char c : message) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << message;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw something else: " << error.what();
  }
  return true;
}

TEST_F(Gltf, HostileFilesAreAMeshOrASentenceInLittleMemory) {
  Files good;
  for (const GltfText& file : {parabola(), sparse_parabola(), quantized(), scene()}) {
    EXPECT_NO_THROW(read_text(MeshFormat::gltf, file.text()));
    EXPECT_NO_THROW(read_text(MeshFormat::gltf, file.binary()));
    good.push_back(file.text());
    good.push_back(file.binary());
  }
  Files files;
  add_large(files);
  add_buffers(files);
  for (const std::string& text : good) {
    if (text.starts_with('{')) add_replacements(text, files);
  }
  add_mutations(good, files);
  ASSERT_GE(files.size(), 1000u);

  const char* const folder = std::getenv("TANDEM_HOSTILE_FILES");
  const long memory_before = peak_memory_kb();
  std::size_t error_count = 0;
  double longest = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    SCOPED_TRACE("file " + std::to_string(i));
    if (folder != nullptr) {
      const char* const ending = files[i].starts_with("glTF") ? ".glb" : ".gltf";
      std::ofstream(std::filesystem::path(folder) / (std::to_string(i) + ending)) << files[i];
    }
    const auto start = std::chrono::steady_clock::now();
    error_count += is_error([&] { read_text(MeshFormat::gltf, files[i]); }) ? 1 : 0;
    is_error([&] { assemble_text(MeshFormat::gltf, files[i]); });
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    longest = std::max(longest, time.count());
  }
  const long memory_kb = peak_memory_kb() - memory_before;
  std::cout << files.size() << " files, " << error_count << " of them errors, at most " << longest
            << " s and " << memory_kb << " kB\n";
  EXPECT_GT(error_count, files.size() / 2);
  // Sanitizers keep freed memory.
  if (k_is_sanitized) return;
  EXPECT_LT(memory_kb, 100000);
}

}  // namespace
}  // namespace tandem
