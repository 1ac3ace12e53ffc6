// src/data/formats/numpy/npy.h: what other readers use of the .npy reader.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quickselection/dataset.h"

namespace quickselection {

/// The values in the bytes of a .npy file, used in place where they can be: `owner` keeps them
/// alive. `name` is what messages call the file. Throws Error when it is damaged or no matrix.
Dataset read_npy_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                       const std::string& name, Backing backing = Backing::memory);

}  // namespace quickselection
