#include "commands/collide/collide_report.h"

#include <algorithm>

#include "commands/two_models.h"
#include "options/named_choices.h"
#include "text/counters.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

Flow FewPairs::operator()(TrianglePair pair) {
  ++count;
  if (first.size() < k_shown_pairs || pair < first.back()) {
    first.insert(std::upper_bound(first.begin(), first.end(), pair), pair);
    if (first.size() > k_shown_pairs) first.pop_back();
  }
  return Flow::go_on;
}

std::string first_pairs_text(std::span<const TrianglePair> pairs, std::uint64_t pair_count,
                             const char* title_a, const char* title_b) {
  const std::size_t shown_count = std::min(pairs.size(), k_shown_pairs);
  Table table;
  table.add_row({"", title_a, title_b});
  for (const TrianglePair& pair : pairs.first(shown_count)) {
    table.add_row({"", std::to_string(pair.a), std::to_string(pair.b)});
  }
  std::string text = table.text("");
  if (pair_count > shown_count) {
    text +=
        "  ... and " + grouped(pair_count - shown_count) + " more; --pairs FILE writes them all\n";
  }
  return text;
}

void add_answer(Json& object, const CollideAnswer& answer, bool first, bool statistics) {
  object["touching"] = answer.touching;
  if (answer.pair_count) object["pair_count"] = *answer.pair_count;
  if (first) {
    object["first_pair"] = nullptr;
    if (answer.touching) object["first_pair"] = {answer.pairs[0].a, answer.pairs[0].b};
  }
  object["read_ms"] = answer.read_s * 1e3;
  object["build_ms"] = answer.build_s * 1e3;
  object["time_ms"] = answer.query_s * 1e3;
  if (statistics) add_counters(object["statistics"], answer.statistics);
}

/// What has searched.
std::string engine_text(const CollidePlan& plan, const Model& a) {
  if (plan.on_device) return std::string("cuda, ").append(plan.on_device->name);
  const Traversal traversal = plan.query.engine.traversal;
  return name_of(a.structure()) + (traversal.is_automatic() ? "" : ", " + name_of(traversal));
}

void report_collision_as_json(const CollideOptions& options, const CollidePlan& plan,
                              const Model& a, const Model& b, const CollideAnswer& answer) {
  Json object;
  const auto describe = [](const std::string& source, const Model& model) {
    return Json{{"source", source},
                {"triangles", model.mesh().triangle_count()},
                {"structure_bytes", model.structure_bytes()}};
  };
  object["a"] = describe(options.a, a);
  object["b"] = describe(options.b, b);
  if (plan.on_device) {
    object["device"] = "cuda";
    object["method"] = plan.on_device->name;
  } else {
    object["structure"] = name_of(a.structure());
    object["traversal"] = name_of(plan.query.engine.traversal);
  }
  add_answer(object, answer, options.first, options.statistics);
  print_json(object);
}

void report_collision_as_text(const CollideOptions& options, const CollidePlan& plan,
                              const Model& a, const Model& b, const CollideAnswer& answer) {
  std::string text = two_models_text(options.a, a, options.b, b);
  text += "read in " + duration(answer.read_s) + ", built in " + duration(answer.build_s) + "\n";

  if (!answer.touching) {
    text += "no triangles touch";
  } else if (options.first) {
    text += "they touch: triangle " + std::to_string(answer.pairs[0].a) + " of A and triangle " +
            std::to_string(answer.pairs[0].b) + " of B";
  } else {
    text += counted(*answer.pair_count, "touching pair", "touching pairs");
  }
  text += answer.touching ? ", found in " : ", searched in ";
  text += duration(answer.query_s) + " (" + engine_text(plan, a) + ")\n";

  const bool chosen = options.first || options.count || options.pairs_file;
  if (!chosen && answer.touching) {
    text += first_pairs_text(answer.pairs, *answer.pair_count, "triangle of A", "triangle of B");
  }
  if (options.statistics) text += counters_text(k_counters, answer.statistics);
  for (const auto& file :
       {options.pairs_file, options.segments_file, options.contacts_file, options.picture.file}) {
    if (file) text += "wrote " + one_line(*file) + "\n";
  }
  print(text);
}

}  // namespace tandem::cli
