#include "view/page.h"

#include <tandem/error.h>

#include <bit>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/strings.h"
#include "view/page_asset.h"

namespace tandem::cli {

namespace {

constexpr std::string_view k_place_of_data = "<!--tandem-data-->";
/// What the page has where there is no engine in it.
constexpr std::string_view k_no_engine = R"(<script type="text/plain" id="module"></script>)";

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view k_digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < bytes.size() ? std::to_integer<unsigned>(bytes[k]) : 0U;
    };
    const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += k_digits[three >> 18];
    text += k_digits[three >> 12 & 63];
    text += i + 1 < bytes.size() ? k_digits[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? k_digits[three & 63] : '=';
  }
  return text;
}

/// Numbers as the page reads them. Structs of three floats and pairs of ids have no gaps.
template <class T>
std::string numbers(std::span<const T> values) {
  static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");
  return base64(std::as_bytes(values));
}

void append(const Pose& pose, std::vector<double>* to) {
  for (int i = 0; i < 9; ++i) to->push_back(pose.rotation(i / 3, i % 3));
  for (int i = 0; i < 3; ++i) to->push_back(pose.translation()[i]);
}

/// Segments of the curves in which two objects meet, in the world, six floats each.
std::vector<float> segments(const tandem::Scene& scene, const ObjectPair& objects,
                            std::span<const TrianglePair> pairs) {
  const Pose& a_in_world = scene.pose(objects.a);
  std::vector<float> result;
  const auto add = [&](const Vec3d& point) {
    const Vec3d in_world = transform_point(a_in_world, point);
    for (int axis = 0; axis < 3; ++axis) result.push_back(static_cast<float>(in_world[axis]));
  };
  for (const ContactCurve& curve :
       contact_curves(scene.model(objects.a), scene.model(objects.b),
                      relative_pose(a_in_world, scene.pose(objects.b)), pairs)) {
    const std::size_t size = curve.points.size();
    for (std::size_t i = 0; i + (curve.closed ? 0 : 1) < size; ++i) {
      add(curve.points[i]);
      add(curve.points[(i + 1) % size]);
    }
  }
  return result;
}

/// Each mesh once, however many objects show it.
Json objects_and_meshes(const PageContent& content) {
  const tandem::Scene& scene = content.scene;
  Json meshes = Json::array();
  Json objects = Json::array();
  std::map<const Vec3f*, std::size_t> place_of;
  for (const ObjectId id : scene.objects()) {
    const Mesh& mesh = scene.model(id).mesh();
    const auto [place, is_new] = place_of.try_emplace(mesh.vertices().data(), meshes.size());
    if (is_new) {
      meshes.push_back(
          {{"positions", numbers(mesh.vertices())}, {"indices", numbers(mesh.triangles())}});
    }
    std::vector<double> pose;
    append(scene.pose(id), &pose);
    objects.push_back(
        {{"name", scene.labels(id).name},
         {"group", scene.labels(id).group},
         {"faint", !content.faint_group.empty() && scene.labels(id).group == content.faint_group},
         {"mesh", place->second},
         {"pose", pose}});
  }
  return {{"meshes", std::move(meshes)}, {"objects", std::move(objects)}};
}

Json page_data(const PageContent& content, const SceneResult& found) {
  const tandem::Scene& scene = content.scene;
  Json data = objects_and_meshes(content);
  data["title"] = content.title;
  data["allowed"] = content.allowed;
  data["touching"] = Json::array();
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    const std::vector<float> curves = segments(scene, found.objects[i], found.pairs_of(i));
    data["touching"].push_back({{"a", found.objects[i].a},
                                {"b", found.objects[i].b},
                                {"pairs", numbers(found.pairs_of(i))},
                                {"curves", numbers(std::span(curves))}});
  }
  if (content.pair) {
    const PagePair& pair = *content.pair;
    data["pair"] = {{"a", pair.a},
                    {"b", pair.b},
                    {"pose_a", pair.pose_a},
                    {"pose_b", pair.pose_b},
                    {"read", pair.read}};
  }
  if (!content.frames.empty()) {
    std::vector<double> poses;
    for (const std::vector<Pose>& frame : content.frames) {
      for (const Pose& pose : frame) append(pose, &poses);
    }
    data["frames"] = {{"count", content.frames.size()},
                      {"poses", numbers(std::span<const double>(poses))}};
  }
  return data;
}

/// No name can end the script that the data stands in.
std::string without_markup(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

void check_page() {
  if (page_asset().empty()) {
    throw Error(
        "this program was built without its page: build it where npm is installed, best with the "
        "compiler for WebAssembly too (tools/setup view)");
  }
}

PageReport write_page(const std::string& file, const PageContent& content, int threads) {
  check_page();
  const std::string_view page = page_asset();
  const SceneResult found = content.scene.collide({.threads = threads});
  const std::string data = without_markup(
      page_data(content, found).dump(-1, ' ', false, Json::error_handler_t::replace));

  // The data stands in front of the page's script, which comes last.
  const std::size_t place = page.find(k_place_of_data);
  PageReport report{.pairs = found.pairs.size(), .live = page.find(k_no_engine) == page.npos};
  write_file(file, [&](const Write& write) {
    const auto put = [&](std::string_view text) {
      report.bytes += text.size();
      write(text);
    };
    put(page.substr(0, place));
    put(R"(<script type="application/json" id="data">)");
    put(data);
    put("</script>");
    put(page.substr(place + k_place_of_data.size()));
  });
  return report;
}

std::string page_text(const std::string& file, const PageReport& report) {
  std::string text = "wrote " + one_line(file) + ": " +
                     counted(report.pairs, "touching pair", "touching pairs") + ", " +
                     three_digits(static_cast<double>(report.bytes) / 1e6) + " MB";
  if (!report.live) {
    text += "\nnote: built without the compiler for WebAssembly, so dragging is not live";
  }
  return text + "\n";
}

}  // namespace tandem::cli
