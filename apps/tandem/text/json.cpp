#include "text/json.h"

#include "text/output.h"

namespace tandem::cli {

namespace {

std::string text_of(const Json& object) {
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void print_json(const Json& object) {
  print(text_of(object));
}

void write_json(const std::string& file, const Json& object) {
  file == "-" ? print_json(object) : write_file(file, text_of(object));
}

}  // namespace tandem::cli
