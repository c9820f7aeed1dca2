// Memory for large arrays that are read in random order: on large pages where the system has them,
// which makes the translation of addresses cheaper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tandem::detail {

/// For `std::vector`. `T` may be aligned to anything up to a page.
template <class T>
struct LargePageAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): what the standard calls it

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    // Arrays that fill at least one large page get whole large pages.
    const std::size_t alignment = count * sizeof(T) >= k_page_bytes
                                      ? k_page_bytes
                                      : std::max(alignof(T), alignof(std::max_align_t));
    const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // This is only advice: where there are no large pages, the memory is ordinary memory.
    if (alignment == k_page_bytes) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) {
    std::free(memory);
  }

  /// Elements that are given no value are left as the memory is: all are written before any is
  /// read. So no time is lost, and the threads that fill an array are the first to touch it.
  template <class U>
  void construct(U*) {
    static_assert(std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>);
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) {
    return true;
  }

 private:
  static constexpr std::size_t k_page_bytes = std::size_t{1} << 21;
};

/// New elements are not initialised.
template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace tandem::detail
