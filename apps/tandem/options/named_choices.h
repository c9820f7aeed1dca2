// What users choose by name: engines and their parts, builders, papers, peers.
#pragma once

#include <tandem/engine.h>
#include <tandem/error.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/comma_lists.h"
#include "text/strings.h"

namespace tandem::cli {

template <class Kind>
std::string name_of(Named<Kind> choice) {
  return std::string(choice.name());
}

/// The structure, traversal, test or builder that an option names. Throws `tandem::Error` that
/// begins with `option` and ends with the names that there are.
template <class Choice>
Choice find_choice(std::string_view name, std::string_view option) {
  try {
    return Choice(name);
  } catch (const Error& error) {
    throw Error(std::string(option) + ": " + error.what());
  }
}

/// The ones that the comma-separated list names, in the order of the library's list; "all" stands
/// for all of them, "automatic" for the library's choice. Throws like `find_choice`.
template <class Choice>
std::vector<Choice> find_choices(std::string_view list, std::string_view option) {
  std::vector<Choice> chosen;
  for (const std::string& name : split_list(list, option)) {
    if (name == "all") return {Choice::all().begin(), Choice::all().end()};
    chosen.push_back(find_choice<Choice>(name, option));
  }
  std::sort(chosen.begin(), chosen.end(),
            [](Choice one, Choice other) { return one.index() < other.index(); });
  return chosen;
}

/// The one of `infos` that is called `name`. Throws `tandem::Error` that begins with `complaint`,
/// as in "there is no paper called", and ends with the names that there are.
template <class Info>
const Info& find_named(std::span<const Info> infos, std::string_view name,
                       std::string_view complaint) {
  for (const Info& info : infos) {
    if (info.name == name) return info;
  }
  throw Error(std::string(complaint) + " " + in_quotes(name) + "; choose one of " +
              names_of(infos));
}

/// The same for the value of an option.
template <class Info>
const Info& find_choice(std::span<const Info> infos, std::string_view name,
                        std::string_view option) {
  return find_named(infos, name, std::string(option) + ": there is none called");
}

/// The ones of `infos` that the comma-separated list names, in the order of `infos`; "all" stands
/// for all of them. Throws `tandem::Error` that begins with `option`.
template <class Info>
std::vector<Info> find_choices(std::span<const Info> infos, std::string_view list,
                               std::string_view option) {
  std::vector<std::string_view> chosen;
  for (const std::string& name : split_list(list, option)) {
    if (name == "all") return {infos.begin(), infos.end()};
    chosen.push_back(find_choice(infos, name, option).name);
  }
  std::vector<Info> result;
  std::copy_if(infos.begin(), infos.end(), std::back_inserter(result), [&](const Info& info) {
    return std::find(chosen.begin(), chosen.end(), info.name) != chosen.end();
  });
  return result;
}

}  // namespace tandem::cli
