// src/data/formats/hdf5/hdf5_types.h: what the reader and the writer of HDF5 share.
#pragma once

#include <hdf5.h>

#include "quickselection/value_type.h"

namespace quickselection {

class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The type in this machine's memory.
hid_t hdf5_native(ValueType type);

}  // namespace quickselection
