// tandem list: what there is to choose from.
#include <tandem/tandem.h>

#include <memory>
#include <optional>

#include "commands/commands.h"
#include "devices/device_queries.h"
#include "devices/devices.h"
#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/shared_options.h"
#include "papers/paper.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(Examples:
  tandem list
  tandem list --json)";

// Everything that is listed, as text and as JSON.
class Listing {
 public:
  Listing() { json_["version"] = TANDEM_VERSION; }

  // What follows belongs to a list with this heading, or with this key in JSON.
  void begin_list(const char* key, const std::string& heading) {
    key_ = key;
    text_ += (text_.empty() ? "" : "\n") + heading + "\n";
    json_[key_] = Json::array();
  }

  void add(std::string_view name, const std::string& text, Json item) {
    text_ += list_line(name, text, 21);
    json_[key_].push_back(std::move(item));
  }

  // What has a name and a description.
  template <class Infos>
  void add_described(const Infos& infos) {
    for (const auto& info : infos) {
      add(info.name, std::string(info.description),
          {{"name", info.name}, {"description", info.description}});
    }
  }

  /// A size of a choice: its key in JSON, and the words around it in text, where 0 is not shown.
  struct Size {
    const char* key;
    std::size_t bytes;
    const char* before;
    const char* after;
  };

  // One of the library's choices, perhaps with a size.
  template <class Choice>
  void add_choice(Choice choice, bool is_default, std::optional<Size> size = std::nullopt) {
    std::string text(choice.description());
    Json item = {
        {"name", choice.name()}, {"description", choice.description()}, {"default", is_default}};
    if (size) {
      item[size->key] = size->bytes;
      if (size->bytes > 0) text += size->before + std::to_string(size->bytes) + size->after;
    }
    add(choice.name(), text + (is_default ? " (default)" : ""), std::move(item));
  }

  // All of a kind; the first is the default one.
  template <class Choice>
  void add_choices() {
    for (const Choice choice : Choice::all()) add_choice(choice, choice == Choice::all().front());
  }

  const std::string& text() const { return text_; }
  const Json& json() const { return json_; }

 private:
  std::string key_;
  std::string text_;
  Json json_;
};

void add_formats(Listing& listing) {
  for (const FormatInfo& format : formats()) {
    const char* const use = format.writes  ? "read and written"
                            : format.reads ? "read"
                                           : "not in this build (it needs simdjson)";
    listing.add(format.name, std::string(format.endings) + ": " + use,
                {{"name", format.name},
                 {"endings", format.endings},
                 {"reads", format.reads},
                 {"writes", format.writes}});
  }
}

void add_devices(Listing& listing) {
  listing.add("cpu", "this processor (default)", {{"name", "cpu"}, {"kind", "cpu"}});
  for (const cuda::DeviceInfo& device : cuda_devices()) {
    listing.add("cuda",
                device.name + ", compute capability " + std::to_string(device.major) + "." +
                    std::to_string(device.minor) + ", " + grouped(device.memory_bytes >> 20) +
                    " MiB, " + std::to_string(device.multiprocessors) + " multiprocessors",
                {{"name", device.name},
                 {"kind", "cuda"},
                 {"compute_capability", {device.major, device.minor}},
                 {"memory_bytes", device.memory_bytes},
                 {"multiprocessors", device.multiprocessors}});
  }
}

Listing list_all() {
  Listing listing;
  listing.begin_list("shapes", "Shapes, for tandem make and as shape:NAME[:TRIANGLES[:SEED]]");
  listing.add_described(shapes());
  listing.begin_list("structures",
                     "Structures, for --structure; the pairs and hits do not depend on them");
  for (const Structure structure : Structure::all()) {
    listing.add_choice(
        structure, structure == Structure::all().front(),
        Listing::Size{"bytes_per_node", bytes_per_node(structure), ", ", " bytes per node"});
  }
  listing.begin_list("traversals", "Traversals, for --traversal; each finds the same pairs");
  listing.add_choices<Traversal>();
  listing.begin_list(
      "ray_traversals",
      "Traversals of rays, for --traversal of tandem render; each finds the same hits");
  for (const RayTraversal traversal : RayTraversal::all()) {
    listing.add_choice(
        traversal, traversal == RayTraversal::all().front(),
        Listing::Size{"state_bytes", state_bytes(traversal), ", state of ", " bytes"});
  }
  listing.begin_list("overlap_tests",
                     "Overlap tests, for --overlap; the pairs do not depend on them");
  listing.add_choices<OverlapTest>();
  listing.begin_list("triangle_tests",
                     "Triangle tests, for --triangle-test; those of papers find a few other pairs");
  listing.add_choices<TriangleTest>();
  listing.begin_list("builders", "Builders, for --builder; the pairs do not depend on them");
  listing.add_choices<Builder>();
  listing.begin_list("formats", "File formats");
  add_formats(listing);
  listing.begin_list("devices", has_cuda() ? "Devices, for --device"
                                           : "Devices, for --device; this build has no CUDA");
  add_devices(listing);
  listing.begin_list("methods", "Methods of CUDA devices, for --method; the first is the default");
  listing.add_described(device_methods());
  listing.begin_list("papers", "Papers, for tandem reproduce");
  listing.add_described(papers());
  return listing;
}

}  // namespace

Command add_list(CLI::App& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* const app = add_command(
      program, "list",
      "List the shapes, structures, traversals, tests, builders, file formats, devices and papers");
  add_json_flag(*app, *json);
  set_footer(*app, k_examples);
  return {app, [json]() -> int {
            const Listing listing = list_all();
            *json ? print_json(listing.json()) : print(listing.text());
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
