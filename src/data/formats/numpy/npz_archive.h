// src/data/formats/numpy/npz_archive.h: the arrays in a .npz file: .npy files in a zip archive.
#pragma once

#include <zip.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/variables.h"
#include "data/io/growing_buffer.h"
#include "data/io/mapped_file.h"
#include "quickselection/dataset.h"

namespace quickselection {

class NpzArchive {
 public:
  /// Throws Error when it is no readable zip archive.
  explicit NpzArchive(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t file_bytes() const { return file_.size(); }
  /// "FILE, array 'NAME'", for messages.
  std::string describe(std::size_t entry) const;

  /// The name and the shape of an entry, if it is an array of numbers or texts.
  Variable variable(std::size_t entry) const;
  /// An array of numbers.
  Dataset dataset(std::size_t entry) const;
  /// Texts or numbers, one text for each.
  std::vector<std::string> texts(std::size_t entry) const;

 private:
  [[noreturn]] void fail(std::size_t entry, const std::string& what) const;
  /// Decompresses at most `most` bytes of an entry into `out`; returns how many there were.
  std::size_t read(std::size_t entry, GrowingBuffer& out, std::size_t most) const;

  struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };

  MappedFile file_;
  std::unique_ptr<zip_t, CloseArchive> archive_;
  std::vector<std::string> names_;
};

}  // namespace quickselection
