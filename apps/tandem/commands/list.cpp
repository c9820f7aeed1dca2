// tandem list: what there is to choose from.
#include <tandem/tandem.h>

#include <memory>

#include "commands/commands.h"
#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/shared_options.h"
#include "papers/paper.h"
#include "text/json.h"
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

  // A size of each choice: its key in JSON, and the words around it in text, where 0 is not shown.
  template <class Info>
  struct Size {
    std::size_t Info::*bytes = nullptr;
    const char* key = "";
    const char* before = "";
    const char* after = "";
  };

  // What also has a default, and perhaps a size.
  template <class Info, class Choice>
  void add_choices(std::span<const Info> infos, Choice default_choice, Size<Info> size = {}) {
    const std::string default_name = name_of(default_choice);
    for (const Info& info : infos) {
      const bool is_default = info.name == default_name;
      std::string text(info.description);
      Json item = {{"name", info.name}, {"description", info.description}, {"default", is_default}};
      if (size.bytes != nullptr) {
        const std::size_t bytes = info.*size.bytes;
        item[size.key] = bytes;
        if (bytes > 0) text += size.before + std::to_string(bytes) + size.after;
      }
      add(info.name, text + (is_default ? " (default)" : ""), std::move(item));
    }
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
                                           : "not in this build (it needs Assimp)";
    listing.add(format.name, std::string(format.endings) + ": " + use,
                {{"name", format.name},
                 {"endings", format.endings},
                 {"reads", format.reads},
                 {"writes", format.writes}});
  }
}

Listing list_all() {
  Listing listing;
  listing.begin_list("shapes", "Shapes, for tandem make and as shape:NAME[:TRIANGLES[:SEED]]");
  listing.add_described(shapes());
  listing.begin_list("algorithms", "Algorithms, for --algorithm; each finds the same pairs");
  listing.add_choices(algorithms(), QueryOptions{}.algorithm);
  listing.begin_list(
      "ray_traversals",
      "Traversals of rays, for --traversal of tandem render; each finds the same hits");
  listing.add_choices(ray_traversals(), RayOptions{}.traversal,
                      {&RayTraversalInfo::state_bytes, "state_bytes", ", state of ", " bytes"});
  listing.begin_list("volumes", "Volumes, for --volume; the pairs do not depend on them");
  listing.add_choices(volumes(), BuildOptions{}.volume,
                      {&VolumeInfo::bytes_per_node, "bytes_per_node", ", ", " bytes per node"});
  listing.begin_list("overlaps", "Overlap tests, for --overlap; the pairs do not depend on them");
  listing.add_choices(overlaps(), QueryOptions{}.overlap);
  listing.begin_list("triangle_tests",
                     "Triangle tests, for --triangle-test; those of papers find a few other pairs");
  listing.add_choices(triangle_tests(), QueryOptions{}.triangle_test);
  listing.begin_list("builders", "Builders, for --builder; the pairs do not depend on them");
  listing.add_choices(builders(), BuildOptions{}.builder);
  listing.begin_list("formats", "File formats");
  add_formats(listing);
  listing.begin_list("papers", "Papers, for tandem reproduce");
  listing.add_described(papers());
  return listing;
}

}  // namespace

Command add_list(CLI::App& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* const app = program.add_subcommand(
      "list", "List the shapes, algorithms, volumes, tests, builders, file formats and papers");
  add_json_flag(*app, *json);
  app->footer(k_examples);
  return {app, [json]() -> int {
            const Listing listing = list_all();
            *json ? print_json(listing.json()) : print(listing.text());
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
