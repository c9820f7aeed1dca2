// Memory that queries share: it grows when one needs more, and is kept for the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace tandem::detail {

/// `On` is as in gpu/build.h, with
///
///   on.kept<T>(count)            an array of anything that may live longer than `on`
///   on.let_go(array)             such an array goes next, once what has been launched is done
///   on.copy(from, to, count)     copies an array
template <class On, class T>
class GrowingArray {
 public:
  T* data() const { return array_ ? array_->data() : nullptr; }
  std::size_t bytes() const { return room_ * sizeof(T); }

  /// Makes room for so many; the first `kept` stay.
  void make_room(On& on, std::size_t count, std::size_t kept = 0) {
    if (count <= room_) return;
    const std::size_t room = std::max(count, room_ + room_ / 2);
    // What need not be kept goes first, so that there is memory for the new.
    if (kept == 0) clear(on);
    auto larger = on.template kept<T>(room);
    if (kept > 0) on.copy(array_->data(), larger.data(), kept);
    clear(on);
    array_ = std::make_unique<Array>(std::move(larger));
    room_ = room;
  }

 private:
  void clear(On& on) {
    if (array_) on.let_go(*array_);
    array_.reset();
    room_ = 0;
  }

  using Array = decltype(std::declval<On&>().template kept<T>(0));

  std::unique_ptr<Array> array_;
  std::size_t room_ = 0;
};

}  // namespace tandem::detail
