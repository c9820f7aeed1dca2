// What the user chooses by name: algorithms, builders, papers.
#pragma once

#include <tandem/error.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "text/numbers.h"

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

/// The one of `infos` whose `member` is `value`, which is among them.
template <class Info, class Value>
const Info& info_of(std::span<const Info> infos, Value Info::*member, Value value) {
  return *std::find_if(infos.begin(), infos.end(),
                       [&](const Info& info) { return info.*member == value; });
}

}  // namespace tandem::cli
