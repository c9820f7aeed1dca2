// Objects that threads of Python may use in ways in which those of C++ may not.
#pragma once

#include <tandem/error.h>

#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>

#include "arguments.h"

namespace tandem::python {

/// An object with a lock: any number of threads may look at it at once, one alone may change it.
/// Who waits for that has let go of the interpreter's lock. A callback that runs while its own
/// thread changes the object, or that would change what its thread looks at, could never go on:
/// that is an error.
template <class T>
class Guarded {
 public:
  template <class... Arguments>
  explicit Guarded(const char* name, Arguments&&... arguments)
      : name_(name), object_(std::forward<Arguments>(arguments)...) {}

  /// Calls the function with the object, without the interpreter's lock.
  template <class Function>
  auto look(Function&& function) const {
    const Unlocked without_interpreter;
    if (looking == this) return function(object_);
    if (changing == this) fail();
    const std::shared_lock guard(mutex_);
    const Mark mark(looking, this);
    return function(object_);
  }

  /// The same for what changes it.
  template <class Function>
  auto change(Function&& function) {
    const Unlocked without_interpreter;
    if (looking == this || changing == this) fail();
    const std::unique_lock guard(mutex_);
    const Mark mark(changing, this);
    return function(object_);
  }

 private:
  /// What this thread is in, for as long as it is.
  class Mark {
   public:
    Mark(const Guarded*& place, const Guarded* object) : place_(place), before_(place) {
      place_ = object;
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    ~Mark() { place_ = before_; }

   private:
    const Guarded*& place_;
    const Guarded* before_;
  };

  [[noreturn]] void fail() const {
    throw Error("a callback of this " + std::string(name_) + " may not use it in this way");
  }

  static inline thread_local const Guarded* looking = nullptr;
  static inline thread_local const Guarded* changing = nullptr;

  const char* name_;
  T object_;
  mutable std::shared_mutex mutex_;
};

}  // namespace tandem::python
