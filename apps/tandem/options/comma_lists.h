// Comma-separated lists on the command line.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "options/named_choices.h"

namespace tandem::cli {

/// The items of "one,two", without those that come again. Throws `tandem::Error` that begins with
/// `option` when one is empty.
std::vector<std::string> split_list(std::string_view text, std::string_view option);

/// Finite numbers of at least 0, in the order given. Throws like `split_list`.
std::vector<double> number_list(std::string_view text, std::string_view option);

/// Finite numbers of either sign, as many as there are and in the order given. Throws like
/// `split_list`.
std::vector<double> coordinate_list(std::string_view text, std::string_view option);

/// The ones of `infos` that the list names, in the order of `infos`; "all" stands for all of them.
/// Throws like `split_list`, and for unknown names with those that there are.
template <class Info>
std::vector<Info> named_list(std::span<const Info> infos, std::string_view text,
                             std::string_view option) {
  std::vector<std::string_view> chosen;
  for (const std::string& name : split_list(text, option)) {
    if (name == "all") return {infos.begin(), infos.end()};
    chosen.push_back(find_named(infos, name, std::string(option) + ": there is none called").name);
  }
  std::vector<Info> result;
  std::copy_if(infos.begin(), infos.end(), std::back_inserter(result), [&](const Info& info) {
    return std::find(chosen.begin(), chosen.end(), info.name) != chosen.end();
  });
  return result;
}

}  // namespace tandem::cli
