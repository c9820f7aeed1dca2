// Sinks: where a query sends its results, and whether it goes on.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tandem {

/// What a sink answers to each result.
enum class Flow { go_on, stop };

template <class Signature>
class FunctionRef;

/// A reference to any callable with that signature: a lambda, a function object or a plain
/// function. Two pointers, no allocation; the callable must outlive every call. Meant for
/// parameters, where a temporary lives long enough.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Arguments...>)
      FunctionRef(F&& callable)  // NOLINT(google-explicit-constructor): passed like its callable
  {
    using Callable = std::remove_reference_t<F>;
    if constexpr (std::is_function_v<std::remove_pointer_t<Callable>>) {
      // A function, or a pointer to one: its address is no pointer to an object.
      using Pointer = std::decay_t<Callable>;
      target_.function = reinterpret_cast<void (*)()>(static_cast<Pointer>(callable));
      call_ = [](Target target, Arguments... arguments) -> Result {
        return reinterpret_cast<Pointer>(target.function)(std::forward<Arguments>(arguments)...);
      };
    } else {
      target_.object = const_cast<void*>(static_cast<const void*>(&callable));
      call_ = [](Target target, Arguments... arguments) -> Result {
        return (*static_cast<Callable*>(target.object))(std::forward<Arguments>(arguments)...);
      };
    }
  }

  Result operator()(Arguments... arguments) const {
    return call_(target_, std::forward<Arguments>(arguments)...);
  }

 private:
  union Target {
    void* object;
    void (*function)();
  };
  Target target_;
  Result (*call_)(Target, Arguments...);
};

/// Is told which share of a long task is done: from 0 to 1, never falling, on the calling thread.
/// A reference to a callable `void(double)`, or nothing. Options keep it, so a temporary, which
/// would be gone when the task begins, does not compile.
class Progress {
 public:
  Progress() = default;
  Progress(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): null means no progress

  template <class F>
  requires(!std::is_same_v<std::remove_cv_t<F>, Progress> && std::is_invocable_v<F&, double>)
      Progress(F& callable)  // NOLINT(google-explicit-constructor): passed like its callable
      : function_(callable), empty_(false) {}

  explicit operator bool() const { return !empty_; }
  void operator()(double share) const { function_(share); }

 private:
  static void ignore(double) {}

  FunctionRef<void(double)> function_ = ignore;
  bool empty_ = true;
};

}  // namespace tandem
