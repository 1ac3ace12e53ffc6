// src/report/bundle.h: the page's script and style, as report/bundle.sh made them at build time.
#pragma once

#include <string_view>

namespace quickselection {

struct Bundle {
  std::string_view script, style;            ///< empty when the program was built without esbuild
  std::string_view script_hash, style_hash;  ///< as in a content security policy: sha256-…
};

/// Defined in a source that the build generates.
extern const Bundle kBundle;

}  // namespace quickselection
