// A number that counts the operations done with it: add, subtract, multiply, compare and abs count
// one each. Conversions and copies are free. Overlap tests use it instead of double when their
// operations are counted.
#pragma once

#include <cmath>

namespace tandem::detail {

class Counted {
 public:
  static inline long operation_count = 0;

  Counted() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for double
  Counted(double value) : value_(value) {}

  friend Counted operator+(Counted a, Counted b) { return count(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return count(a.value_ - b.value_); }
  friend Counted operator*(Counted a, Counted b) { return count(a.value_ * b.value_); }
  friend bool operator<(Counted a, Counted b) { return ++operation_count, a.value_ < b.value_; }
  friend bool operator>(Counted a, Counted b) { return ++operation_count, a.value_ > b.value_; }
  friend bool operator<=(Counted a, Counted b) { return ++operation_count, a.value_ <= b.value_; }
  friend Counted abs(Counted a) { return count(std::fabs(a.value_)); }
  friend int to_int(Counted a) { return static_cast<int>(a.value_); }

 private:
  static Counted count(double value) {
    ++operation_count;
    return {value};
  }

  double value_ = 0;
};

}  // namespace tandem::detail
