// What the user chooses by name: algorithms, builders, papers.
#pragma once

#include <tandem/error.h>

#include <span>
#include <string>
#include <string_view>

#include "format.h"

namespace tandem::cli {

/// The one of `infos` that is called `name`. Throws `tandem::Error` that begins with `complaint`,
/// as in "there is no algorithm called", and ends with the names that there are.
template <class Info>
const Info& find_named(std::span<const Info> infos, std::string_view name,
                       std::string_view complaint) {
  std::string known;
  for (const Info& info : infos) {
    if (info.name == name) return info;
    known.append(known.empty() ? "" : ", ").append(info.name);
  }
  throw Error(std::string(complaint) + " " + in_quotes(name) + "; choose one of " + known);
}

}  // namespace tandem::cli
