// Locks and the calling thread, also where the standard library has no threads, as in WebAssembly:
// there is nobody to wait for then, and both are empty.
#pragma once

#include <mutex>
#ifdef __STDCPP_THREADS__
#include <thread>
#endif

namespace tandem::detail {

#ifdef __STDCPP_THREADS__

using Mutex = std::mutex;

/// Remembers the thread that made it.
class CallingThread {
 public:
  bool is_here() const { return std::this_thread::get_id() == id_; }

 private:
  std::thread::id id_ = std::this_thread::get_id();
};

/// How many threads the machine runs at once; 0 where that is not known.
inline unsigned hardware_threads() {
  return std::thread::hardware_concurrency();
}

/// Lets other threads go first.
inline void yield_thread() {
  std::this_thread::yield();
}

#else

/// What std::lock_guard asks for.
struct Mutex {
  void lock() {}
  bool try_lock() { return true; }
  void unlock() {}
};

struct CallingThread {
  bool is_here() const { return true; }
};

inline unsigned hardware_threads() {
  return 1;
}
inline void yield_thread() {}

#endif

}  // namespace tandem::detail
