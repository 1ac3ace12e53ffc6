// src/data/formats/arrow/arrow_abi.h: the Arrow C data and C stream interfaces: how programs hand
// tables to each other without a common library. The layout is fixed by Arrow's specification.
#pragma once

#include <cstdint>

// Other libraries declare the same structs, under the guards that the specification names.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif

namespace quickselection {

/// Owns one of the three: releases it at the end.
template <class Struct>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  /// Takes over what `other` holds, which is then empty, as the specification has it.
  explicit ArrowOwner(Struct& other) : held_(other) { other.release = nullptr; }
  ~ArrowOwner() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  ArrowOwner(ArrowOwner&& other) noexcept : held_(other.held_) { other.held_.release = nullptr; }
  ArrowOwner& operator=(ArrowOwner&&) = delete;

  Struct* get() { return &held_; }
  Struct* operator->() { return &held_; }

 private:
  Struct held_{};
};

}  // namespace quickselection
