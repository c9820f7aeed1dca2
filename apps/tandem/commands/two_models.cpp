#include "commands/two_models.h"

#include "text/numbers.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

Model build_model(Mesh mesh, BuildOptions options, const char* label, Reporting reporting) {
  ProgressBar bar(label, reporting);
  options.progress = bar.callback();
  return Model(std::move(mesh), options);
}

std::string two_models_text(const std::string& source_a, const Model& a,
                            const std::string& source_b, const Model& b) {
  Table sources;
  const auto add = [&](const char* name, const std::string& source, const Model& model) {
    sources.add_row(
        {name + one_line(source), counted(model.mesh().triangle_count(), "triangle", "triangles")});
  };
  add("A  ", source_a, a);
  add("B  ", source_b, b);
  return sources.text("");
}

std::string coordinates(const Vec3d& point) {
  return shortest(point.x) + ", " + shortest(point.y) + ", " + shortest(point.z);
}

}  // namespace tandem::cli
