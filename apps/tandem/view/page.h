// This room makes pages that show collisions: what `tandem view` and `tandem simulate` write. The
// page itself, web/page/, is built beside the program and is part of it; here data is put into it.
// It uses the public API and text/.
#pragma once

#include <tandem/pose.h>
#include <tandem/scene.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem::cli {

/// How two meshes were named on the command line, so that the page can say where they are now.
struct PagePair {
  std::string a;
  std::string b;
  /// Empty where there was no option.
  std::string pose_a;
  std::string pose_b;
  /// Options of reading, each with a blank before it.
  std::string read;
};

/// What a page shows.
struct PageContent {
  std::string title;
  const tandem::Scene& scene;
  /// Labels of objects that may touch.
  std::vector<std::array<std::string, 2>> allowed = {};
  std::optional<PagePair> pair = {};
  /// Objects of this group are walls that one looks through.
  std::string faint_group = {};
  /// A recorded run: for each frame the poses of all objects, in the order of their ids.
  std::vector<std::vector<Pose>> frames = {};
};

/// What was written.
struct PageReport {
  std::uint64_t pairs = 0;
  std::uint64_t bytes = 0;
  /// Whether objects can be dragged, with what touches shown live.
  bool live = false;
};

/// Throws `tandem::Error` where the program was built without the page.
void check_page();

/// Writes the page as one file that needs no other. Throws `tandem::Error`.
PageReport write_page(const std::string& file, const PageContent& content, int threads);

/// One line: what was written.
std::string page_text(const std::string& file, const PageReport& report);

}  // namespace tandem::cli
