// Memory for large arrays that are read in random order: on large pages where the system has them,
// which makes the translation of addresses cheaper.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

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
    const std::size_t alignment = count * sizeof(T) >= k_page_bytes ? k_page_bytes : alignof(T);
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

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) {
    return true;
  }

 private:
  static constexpr std::size_t k_page_bytes = std::size_t{1} << 21;
};

}  // namespace tandem::detail
