// src/data/formats/hdf5/hdf5_file.cpp: see hdf5_file.h.
#include "data/formats/hdf5/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/formats/hdf5/hdf5_types.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t kMostArrays = 100'000;
// Deflate makes nothing more than 1032 times smaller; chunks of nothing but zeros may be left out.
constexpr std::size_t kMostRatio = 1100, kAlwaysAllowed = std::size_t{64} << 20;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr const char* kUnreadable =
    "its values are damaged, cut short, or compressed in an unknown way";
constexpr const char* kHint = "was it written or copied completely?";

using Handle = Hdf5Handle;

std::optional<ValueType> type_of(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return size == 2 ? ValueType::f32 : number_type('f', size);
    case H5T_INTEGER:
      return number_type(H5Tget_sign(type) == H5T_SGN_2 ? 'i' : 'u', size);
    case H5T_ENUM:  // how h5py stores bool
      return size == 1 ? std::optional(ValueType::u8) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<std::size_t>> shape_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) return std::nullopt;
  std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space, lengths.data(), nullptr) < 0)
    return std::nullopt;
  return std::vector<std::size_t>(lengths.begin(), lengths.end());
}

herr_t collect(hid_t, const char* name, const H5O_info_t* info, void* out) {
  auto& names = *static_cast<std::vector<std::string>*>(out);
  if (info->type == H5O_TYPE_DATASET) names.emplace_back(name);
  return names.size() >= kMostArrays ? 1 : 0;
}

/// Texts of a fixed or of a variable length, as an array of `count` in a dataset or attribute.
std::optional<std::vector<std::string>> read_texts(hid_t type, hid_t space, std::size_t count,
                                                   auto&& read) {
  std::vector<std::string> texts;
  texts.reserve(count);
  if (H5Tis_variable_str(type) > 0) {
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    std::vector<char*> pointers(count, nullptr);
    if (read(static_cast<hid_t>(memory), static_cast<void*>(pointers.data())) < 0)
      return std::nullopt;
    for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t size = H5Tget_size(type);
  std::vector<char> bytes(count * size);
  if (read(type, static_cast<void*>(bytes.data())) < 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const begin = bytes.data() + i * size;
    texts.emplace_back(begin, std::find(begin, begin + size, '\0'));
  }
  return texts;
}

}  // namespace

hid_t hdf5_native(ValueType type) {
  const hid_t types[] = {H5T_NATIVE_UINT8,  H5T_NATIVE_INT8,  H5T_NATIVE_UINT16, H5T_NATIVE_INT16,
                         H5T_NATIVE_UINT32, H5T_NATIVE_INT32, H5T_NATIVE_UINT64, H5T_NATIVE_INT64,
                         H5T_NATIVE_FLOAT,  H5T_NATIVE_DOUBLE};
  return types[static_cast<std::size_t>(type)];
}

bool is_hdf5(std::string_view head) { return head.starts_with(kSignature); }

Hdf5File::Hdf5File(const std::string& path, SharedMemory& memory) : path_(path), memory_(memory) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it prints its errors otherwise
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);  // some network file systems have no locks
  // The copy of a stream has no name, for which the usual way of opening would look.
  if (path.starts_with("/proc/")) H5Pset_fapl_stdio(access);
  file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (file_ < 0) throw Error(fmt::format("{} is not a readable HDF5 file", path), kHint);
  // What a file says must not make this program read another one.
  H5Lunregister(H5L_TYPE_EXTERNAL);
  open_no_more_files();
}

std::int64_t Hdf5File::open(const std::string& name) const {
  const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  H5L_info_t link{};
  if (dataset < 0 && H5Lget_info(file_, name.c_str(), &link, H5P_DEFAULT) >= 0 &&
      link.type == H5L_TYPE_EXTERNAL)
    elsewhere(name);
  if (dataset < 0) fail(name, "there is no readable array of this name");
  const Handle layout(H5Dget_create_plist(dataset), H5Pclose);
  if (layout.ok() && H5Pget_layout(layout) != H5D_VIRTUAL && H5Pget_external_count(layout) == 0)
    return dataset;
  H5Dclose(dataset);
  elsewhere(name);
}

void Hdf5File::elsewhere(const std::string& name) const {
  throw Error(fmt::format("{}, '{}': its values are in another file, which is not opened: a file "
                          "could name any file of yours",
                          path_, name),
              "copy the array into a file of its own, for example with h5repack");
}

std::size_t Hdf5File::bytes() const {
  hsize_t size = 0;
  H5Fget_filesize(file_, &size);
  return size;
}

Hdf5File::~Hdf5File() { H5Fclose(file_); }

void Hdf5File::fail(const std::string& name, const std::string& what) const {
  throw Error(fmt::format("{}, '{}': {}", path_, name, what), kHint);
}

bool Hdf5File::has(const std::string& name) const {
  // Every step of the path must be a group before the next may be asked for. What cannot be read is
  // an error: names or labels would be missing without a word.
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    const std::string step = name.substr(0, end);
    const htri_t found = H5Lexists(file_, step.c_str(), H5P_DEFAULT);
    if (found < 0) fail(step, kUnreadable);
    if (found == 0 || end == std::string::npos) return found > 0;
    if (!is_group(step)) return false;
  }
}

bool Hdf5File::is_group(const std::string& name) const {
  if (!has(name)) return false;
  const htri_t leads_somewhere = H5Oexists_by_name(file_, name.c_str(), H5P_DEFAULT);
  if (leads_somewhere == 0) return false;  // a link to nothing
  const Handle object(H5Oopen(file_, name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.ok()) fail(name, kUnreadable);
  return H5Iget_type(object) == H5I_GROUP;
}

std::vector<Hdf5File::Array> Hdf5File::arrays() const {
  std::vector<std::string> names;
  if (H5Ovisit2(file_, H5_INDEX_NAME, H5_ITER_INC, collect, &names, H5O_INFO_BASIC) < 0)
    throw Error(fmt::format("{}: its list of arrays is damaged", path_), kHint);
  std::vector<Array> all;
  for (const std::string& name : names) all.push_back(array(name));
  return all;
}

Hdf5File::Array Hdf5File::array(const std::string& name) const {
  const Handle dataset(open(name), H5Dclose);
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (!type.ok() || !space.ok()) fail(name, "its type or shape is damaged");
  const auto shape = shape_of(space);
  if (!shape) fail(name, "its shape is damaged");
  return {name, *shape, type_of(type), H5Tget_class(type) == H5T_STRING};
}

void Hdf5File::check_size(std::int64_t dataset, const Array& array) const {
  const std::size_t bytes = count_bytes(array.shape, size_of(*array.type));
  if (bytes == 0)
    throw Error(fmt::format("{}, '{}' holds no values: it is {}", path_, array.name,
                            fmt::join(array.shape, " x ")));
  const std::size_t stored = H5Dget_storage_size(dataset);
  if (bytes > kAlwaysAllowed && bytes / kMostRatio > stored)
    fail(array.name,
         fmt::format("{} values cannot come from {} bytes", fmt::join(array.shape, " x "), stored));
}

Hdf5File::Values Hdf5File::values(const std::string& name, bool by_columns) const {
  const Array found = array(name);
  if (!found.type)
    throw Error(fmt::format("{}, '{}' is not an array of real numbers", path_, name),
                "integers or floating-point numbers of up to 8 bytes are needed");
  if (found.shape.empty())
    throw Error(fmt::format("{}, '{}' holds a single value, not a matrix", path_, name),
                "rows x features are needed");
  const Handle dataset(open(name), H5Dclose);
  check_size(dataset, found);
  const Handle stored(H5Dget_type(dataset), H5Tclose);
  const bool is_enum = H5Tget_class(stored) == H5T_ENUM;
  const hid_t type = is_enum ? static_cast<hid_t>(stored) : hdf5_native(*found.type);

  Values values{found.shape, *found.type, {}};
  if (by_columns) std::reverse(values.shape.begin(), values.shape.end());
  values.block = memory_.allocate(count_bytes(found.shape, size_of(*found.type)),
                                  fmt::format("{}, '{}'", path_, name));
  std::byte* const target = memory_.data(values.block);
  if (by_columns && found.shape.size() > 1)
    read_turned(dataset, type, found, target);
  else if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) < 0)
    fail(name, kUnreadable);
  return values;
}

void Hdf5File::take_dense(const std::string& name, bool by_columns, StoredTable& table) const {
  const Values found = values(name, by_columns);
  table.type = found.type;
  table.rows = found.shape[0];
  table.features = count_features(found.shape);
  table.values = found.block;
  note_shape(table.notes, found.shape);
}

/// A few columns at a time, whole chunks of the file if possible, so that no second copy is needed.
void Hdf5File::read_turned(std::int64_t dataset, std::int64_t memory_type, const Array& array,
                           std::byte* to) const {
  const std::size_t size = size_of(*array.type), rows = array.shape.back(),
                    outer = array.shape.front();
  const std::size_t features = count_bytes(array.shape, 1) / rows, inner = features / outer;
  const std::size_t slice_bytes = inner * rows * size;
  std::vector<hsize_t> chunk(array.shape.size(), 1);
  const Handle layout(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(layout) != H5D_CHUNKED ||
      H5Pget_chunk(layout, static_cast<int>(chunk.size()), chunk.data()) < 0)
    chunk[0] = 1;
  std::size_t together = std::max<std::size_t>(kPiece / slice_bytes, 1);
  together = std::clamp<std::size_t>((together + chunk[0] - 1) / chunk[0] * chunk[0], 1, outer);

  std::vector<std::byte> piece(together * slice_bytes);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> start(array.shape.size(), 0), count(array.shape.begin(), array.shape.end());
  for (std::size_t done = 0; done < outer; done += together) {
    start[0] = done;
    count[0] = std::min(together, outer - done);
    const Handle part(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) <
            0 ||
        H5Dread(dataset, memory_type, part, space, H5P_DEFAULT, piece.data()) < 0)
      fail(array.name, kUnreadable);
    transpose(piece.data(), to + done * inner * size, rows, count[0] * inner, size,
              features * size);
  }
}

/// Reads a million integers at a time; take(from, type, first, count, to) stores them.
template <class To, class Take>
SharedMemory::Block Hdf5File::read_integers(const std::string& name, const Take& take) const {
  const Array found = array(name);
  if (!found.type || is_floating(*found.type) || found.shape.size() != 1)
    throw Error(fmt::format("{}, '{}' is not a list of integers", path_, name), kHint);
  const std::size_t total = found.shape[0];
  const Handle dataset(open(name), H5Dclose);
  if (total > 0) check_size(dataset, found);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<std::byte> piece(std::min(total, kPiece) * size_of(*found.type));
  const std::string what = fmt::format("{}, '{}'", path_, name);
  const SharedMemory::Block block = memory_.allocate(total * sizeof(To), what);
  To* const to = reinterpret_cast<To*>(memory_.data(block));
  for (std::size_t first = 0; first < total; first += kPiece) {
    const hsize_t start = first, count = std::min(kPiece, total - first);
    const Handle part(H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
        H5Dread(dataset, hdf5_native(*found.type), part, space, H5P_DEFAULT, piece.data()) < 0)
      fail(name, kUnreadable);
    take(piece.data(), *found.type, count, to + first, what);
  }
  return block;
}

SharedMemory::Block Hdf5File::places(const std::string& name, std::size_t limit) const {
  return read_integers<std::uint32_t>(
      name, [&](const std::byte* from, ValueType type, std::size_t count, std::uint32_t* to,
                const std::string& what) { make_places(from, type, count, limit, to, what); });
}

SharedMemory::Block Hdf5File::offsets(const std::string& name, std::size_t stored) const {
  return read_integers<std::uint64_t>(
      name, [&](const std::byte* from, ValueType type, std::size_t count, std::uint64_t* to,
                const std::string& what) { make_offsets(from, type, count, stored, to, what); });
}

std::vector<std::string> Hdf5File::texts(const std::string& name) const {
  const Handle dataset(open(name), H5Dclose);
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING) {
    const Values found = values(name);
    const std::size_t size = size_of(found.type), count = found.block.bytes / size;
    return number_texts(
        Dataset(MatrixView{memory_.data(found.block), count, 1, size, found.type}, nullptr));
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::size_t size = H5Tget_size(type);
  const hsize_t stored = H5Dget_storage_size(dataset);
  if (count < 0 || size == 0 ||
      static_cast<std::size_t>(count) > (kAlwaysAllowed + kMostRatio * stored) / size)
    fail(name, "its number of texts is damaged");
  auto texts =
      read_texts(type, space, static_cast<std::size_t>(count), [&](hid_t memory, void* to) {
        return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
      });
  if (!texts) fail(name, "its texts are damaged or cut short");
  return std::move(*texts);
}

std::int64_t Hdf5File::check_attribute(const std::string& name, const std::string& key,
                                       std::int64_t found) const {
  if (found < 0) fail(name, fmt::format("its attribute '{}' is damaged or cut short", key));
  return found;
}

/// read(attribute, its type, its space), or nothing when there is no such attribute.
template <class Result>
Result Hdf5File::read_attribute(const std::string& name, const std::string& key,
                                const auto& read) const {
  const auto check = [&](std::int64_t found) { return check_attribute(name, key, found); };
  if (check(H5Aexists_by_name(file_, name.c_str(), key.c_str(), H5P_DEFAULT)) == 0) return {};
  const Handle attribute(
      check(H5Aopen_by_name(file_, name.c_str(), key.c_str(), H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
  const Handle type(check(H5Aget_type(attribute)), H5Tclose),
      space(check(H5Aget_space(attribute)), H5Sclose);
  return read(attribute, type, space);
}

std::optional<std::string> Hdf5File::attribute(const std::string& name,
                                               const std::string& key) const {
  using Text = std::optional<std::string>;
  return read_attribute<Text>(name, key, [&](hid_t attribute, hid_t type, hid_t space) -> Text {
    if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1 ||
        H5Tget_size(type) > kAlwaysAllowed)
      return std::nullopt;
    auto texts = read_texts(type, space, 1,
                            [&](hid_t memory, void* to) { return H5Aread(attribute, memory, to); });
    check_attribute(name, key, texts ? 0 : -1);
    return std::move(texts->front());
  });
}

std::optional<std::vector<std::size_t>> Hdf5File::sizes(const std::string& name,
                                                        const std::string& key) const {
  using Sizes = std::optional<std::vector<std::size_t>>;
  return read_attribute<Sizes>(name, key, [&](hid_t attribute, hid_t type, hid_t space) -> Sizes {
    constexpr hssize_t kMost = 8;
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) != H5T_INTEGER || count < 1 || count > kMost) return std::nullopt;
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    check_attribute(name, key, H5Aread(attribute, H5T_NATIVE_INT64, numbers.data()));
    if (*std::min_element(numbers.begin(), numbers.end()) < 0) return std::nullopt;
    return std::vector<std::size_t>(numbers.begin(), numbers.end());
  });
}

}  // namespace quickselection
