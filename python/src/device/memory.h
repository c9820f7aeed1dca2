// Memory of CUDA devices, in and out: what CuPy, PyTorch, Numba and others show by
// `__cuda_array_interface__`. Tandem reads and writes it in CUDA's default stream.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "../support/arguments.h"

namespace tandem::python {

/// Whether the value says that it is in the memory of a device.
bool is_on_device(py::handle value);

/// What rows in the memory of a device must be like.
struct DeviceRows {
  /// What their elements may be, as the interface names them: "<f4". All are equally large.
  std::vector<std::string_view> types;
  /// The shape of a row; none where each row is a number.
  std::vector<py::ssize_t> row = {};
};

/// Rows in the memory of a device, one straight after the other. The object that has them is
/// borrowed for the call.
class DeviceArray {
 public:
  /// Throws, naming the argument, where the value is not as it must be.
  DeviceArray(py::handle value, const char* argument, const DeviceRows& rows);

  std::size_t size() const { return size_; }
  template <class T>
  const T* as() const {
    return static_cast<const T*>(data_);
  }

 protected:
  void* data_ = nullptr;

 private:
  std::size_t size_ = 0;
};

/// The array that answers are written to: as many rows as there are questions.
class DeviceAnswers : public DeviceArray {
 public:
  DeviceAnswers(py::handle value, const DeviceRows& rows, std::size_t count);

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
};

/// Counts what an object has answered, so that what shows an answer knows when it is gone.
class AnswerCount {
 public:
  void next() { ++*count_; }

  class Mark {
   public:
    bool is_latest() const { return *count_ == then_; }

   private:
    friend class AnswerCount;
    explicit Mark(std::shared_ptr<const std::atomic<std::uint64_t>> count)
        : count_(std::move(count)), then_(*count_) {}

    std::shared_ptr<const std::atomic<std::uint64_t>> count_;
    std::uint64_t then_;
  };
  Mark mark() const { return Mark(count_); }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> count_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
};

/// Ids that a query has left in the memory of the device, uint32 of shape (n, columns), as an
/// object with `__cuda_array_interface__`. It keeps who has the memory, and shows it until the next
/// query.
class DeviceIds {
 public:
  DeviceIds(py::object owner, AnswerCount::Mark answer, const void* data, std::size_t rows,
            py::ssize_t columns)
      : owner_(std::move(owner)),
        answer_(std::move(answer)),
        data_(data),
        rows_(rows),
        columns_(columns) {}

  std::size_t rows() const { return rows_; }
  py::tuple shape() const { return py::make_tuple(rows_, columns_); }
  py::dict array_interface() const;

 private:
  py::object owner_;
  AnswerCount::Mark answer_;
  const void* data_;
  std::size_t rows_;
  py::ssize_t columns_;
};

}  // namespace tandem::python
