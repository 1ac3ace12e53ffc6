// src/data/formats/idx/idx.cpp: IDX files, the format of MNIST: a big-endian header, then the
// values.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/io/contents.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".idx", "-ubyte"};
constexpr std::size_t kMostDimensions = 8;

std::optional<ValueType> type_of(unsigned char code) {
  using enum ValueType;
  for (const auto& [known, type] :
       {std::pair{0x08, u8}, {0x09, i8}, {0x0b, i16}, {0x0c, i32}, {0x0d, f32}, {0x0e, f64}})
    if (known == code) return type;
  return std::nullopt;
}

std::size_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

bool detect_idx(std::string_view head) {
  return head.size() >= 8 && head[0] == 0 && head[1] == 0 &&
         type_of(static_cast<unsigned char>(head[2])) && head[3] > 0 &&
         byte_at(head, 3) <= kMostDimensions;
}

Dataset read_idx(const std::string& path, const ReadOptions& options) {
  auto file = std::make_shared<const Contents>(path);
  const std::string_view bytes = file->text();
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{} is not a readable IDX file: {}", path, what),
                "it begins with two zero bytes, the type, the number of dimensions and their "
                "lengths; was it written or copied completely?");
  };
  if (!detect_idx(bytes)) refuse("it does not begin as one");
  const ValueType type = *type_of(static_cast<unsigned char>(bytes[2]));
  std::vector<std::size_t> shape(byte_at(bytes, 3));
  const std::size_t offset = 4 + 4 * shape.size();
  if (bytes.size() < offset) refuse(fmt::format("it ends after {} bytes", bytes.size()));
  for (std::size_t d = 0; d < shape.size(); ++d)
    for (std::size_t i = 0; i < 4; ++i) shape[d] = shape[d] << 8 | byte_at(bytes, 4 + 4 * d + i);

  const std::size_t needed = count_bytes(shape, size_of(type)), have = bytes.size() - offset;
  if (needed == 0)
    throw Error(fmt::format("{} holds no values: its shape is ({})", path, fmt::join(shape, ", ")));
  if (needed != have)
    throw Error(
        fmt::format("{} is {}: its shape ({}) needs {} bytes of values, it has {}", path,
                    needed > have ? "cut short" : "too long", fmt::join(shape, ", "), needed, have),
        "was it written or copied completely?");

  const std::size_t features = count_features(shape);
  MatrixView view{file->data() + offset, shape[0], features, features * size_of(type), type};
  std::shared_ptr<const void> owner = file;
  Backing backing = file->backing();
  if (size_of(type) > 1) {
    auto buffer = std::make_shared<GrowingBuffer>();
    buffer->reserve(needed);
    copy_swapped(view.data, buffer->data(), needed / size_of(type), size_of(type));
    view.data = buffer->data();
    owner = buffer;
    backing = Backing::memory;
  }
  Dataset data(view, std::move(owner), backing);
  data.source = path;
  note_shape(data, shape);
  take_label_option(data, options);
  return data;
}

}  // namespace

const Format idx_format{.name = "idx",
                        .summary = "IDX as MNIST has it; images are flattened",
                        .endings = kEndings,
                        .detect = detect_idx,
                        .read = read_idx,
                        .reads_gzip = true};

}  // namespace quickselection
