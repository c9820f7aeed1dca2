// What is thrown in the module becomes an error in JavaScript.
//
// WebAssembly without its proposal for exceptions cannot unwind. So a `throw` hands the sentence to
// a function of JavaScript, which throws an Error of its own, and the frames of the module in
// between are dropped, with what they own. js/tandem.mjs puts the stack pointer back. No code of
// the module catches what the module throws.
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

/// Given by JavaScript; does not come back.
extern "C" __attribute__((import_module("tandem"), import_name("throw"))) void tandem_throw(
    const char* sentence);

extern "C" {

void* __cxa_allocate_exception(std::size_t bytes) noexcept {
  // The last one is not needed any more: its sentence was copied.
  static void* last = nullptr;
  std::free(last);
  last = std::malloc(bytes);
  if (last == nullptr) tandem_throw("out of memory");
  return last;
}

void __cxa_free_exception(void*) noexcept {}

/// Everything that the library throws is a std::exception and derives from nothing else.
[[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void* (*)(void*)) {
  tandem_throw(static_cast<std::exception*>(thrown)->what());
  __builtin_trap();
}

[[noreturn]] void __cxa_rethrow() {
  tandem_throw("an error was thrown again");
  __builtin_trap();
}

}  // extern "C"

namespace {

/// Memory that is not there is an error with a sentence too.
const bool k_tells_of_memory = [] {
  std::set_new_handler([] { tandem_throw("out of memory"); });
  return true;
}();

}  // namespace
