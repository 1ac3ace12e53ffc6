// src/data/formats/matlab/mat5_file.h: the variables in a MATLAB 5 file and a way to read their
// bytes.
//
// The file is a row of elements: a type, a length, and the content. A variable is an element that
// holds further elements (flags, dimensions, name, values), or the same compressed with zlib.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/io/mapped_file.h"
#include "quickselection/value_type.h"

namespace quickselection {

/// The numbers that stand for types in the file.
namespace mat5 {

/// What an element holds.
enum : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kDouble = 9,
  kMatrix = 14,
  kCompressed = 15,
  kUtf8 = 16,
  kUtf16 = 17
};

/// The elements and the classes of matrices that hold numbers.
struct NumberType {
  ValueType type;
  std::uint32_t element, matrix;
};
constexpr std::array<NumberType, 10> kNumberTypes{{{ValueType::i8, 1, 8},
                                                   {ValueType::u8, 2, 9},
                                                   {ValueType::i16, 3, 10},
                                                   {ValueType::u16, 4, 11},
                                                   {ValueType::i32, 5, 12},
                                                   {ValueType::u32, 6, 13},
                                                   {ValueType::f32, 7, 7},
                                                   {ValueType::f64, 9, 6},
                                                   {ValueType::i64, 12, 14},
                                                   {ValueType::u64, 13, 15}}};

constexpr std::size_t kHeaderBytes = 128;  // text, then two bytes each of version and byte order
constexpr std::size_t kPiece = std::size_t{4} << 20;  // bytes turned from columns to rows at once
constexpr const char* kHint = "was it written or copied completely?";

}  // namespace mat5

/// MATLAB's classes of arrays, by their numbers in the file.
enum class MatClass : std::uint8_t { cell = 1, structure, object, text, sparse, real64 };

struct MatVariable {
  std::string name;
  MatClass kind{};
  bool is_number = false;  ///< a full matrix of numbers
  bool is_complex = false, is_logical = false;
  std::vector<std::size_t> shape;
  std::size_t begin = 0, bytes = 0;  ///< of its element's content in the file
  bool is_compressed = false;
};

/// The content of one variable's element, read from front to back, decompressed if need be.
class MatStream {
 public:
  MatStream(const MappedFile& file, const MatVariable& variable, bool big_endian);
  ~MatStream();
  MatStream(const MatStream&) = delete;
  MatStream& operator=(const MatStream&) = delete;

  /// What a variable's values are stored as. Nothing for types that are no real numbers.
  struct Element {
    std::uint32_t type = 0;
    std::size_t bytes = 0;
    std::optional<ValueType> number;
  };
  /// The type and length of the next element. Throws Error when that is longer than what is left.
  Element next();
  /// The next bytes of the element. Throws Error when it is cut short or damaged.
  void read(std::byte* to, std::size_t bytes);
  /// The next count values of 2, 4, ... bytes in this machine's byte order.
  void read_numbers(std::byte* to, std::size_t count, std::size_t size);
  /// Passes over what is left of the element and the bytes that fill it up to a multiple of eight.
  void end_element();
  /// Reads the rest; compressed content must end here and have the right checksum.
  void finish();

  /// The next element must be a variable within this one: its own elements come next.
  void enter();
  /// The rest of a variable of class text, as UTF-8.
  std::string read_text();

  /// Flags, dimensions and name, which come first in each variable.
  void read_head(MatVariable& variable);

  /// Most bytes that can come out of what is stored: deflate makes nothing 1032 times smaller.
  std::size_t most_bytes() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_stored(std::byte* to, std::size_t bytes);
  std::uint32_t word(const std::byte* at) const;

  const MappedFile& file_;
  std::size_t at_, end_, stored_;
  bool compressed_, big_endian_;
  z_stream zip_{};
  std::size_t left_ = SIZE_MAX;  // in the variable
  std::size_t element_ = 0;      // left in the element
  std::size_t padding_ = 0;      // after it
};

class Mat5File {
 public:
  /// Lists the variables. Throws Error when the file is cut short or damaged.
  explicit Mat5File(const std::string& path);

  const std::string& path() const { return file_.path(); }
  std::size_t bytes() const { return file_.size(); }
  const std::vector<MatVariable>& variables() const { return variables_; }
  /// At the element after the name.
  std::unique_ptr<MatStream> open(const MatVariable& variable) const;

 private:
  MappedFile file_;
  bool big_endian_ = false;
  std::vector<MatVariable> variables_;
};

}  // namespace quickselection
