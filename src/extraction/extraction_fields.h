// src/extraction/extraction_fields.h: what an extraction is told and what it returns, described
// once.
#pragma once

#include "core/text/options.h"
#include "data/scaling/scaler.h"
#include "quickselection/extraction.h"

namespace quickselection {

inline constexpr std::string_view kNetworkNames[] = {"sparse", "dense", "pca"};

void for_each_field(OptionsOf<ExtractOptions> auto& o, auto&& field) {
  field("network", o.network, Choices{kNetworkNames}, "What is fitted: sparse, dense, or pca.");
  field("layers", o.layers, between(1, 1e8),
        "Hidden layers, separated by commas; the narrowest one is what is extracted.");
  field("scale", o.scale, choices_of<ScaleMode>(),
        "How features are scaled, as in select; unset = standard.");
  field("clip", o.clip, at_least(0), "Bound of scaled values on both sides; 0 = none.");
  field("seed", o.seed, at_least(0), "Same seed and options, same result, bit for bit.");
}

void for_each_field(OptionsOf<ExtractorInfo> auto& o, auto&& field) {
  field("network", o.network);
  field("features", o.features);
  field("dimensions", o.dimensions);
  field("scale", o.scale);
  field("clip", o.clip);
  field("options", o.options);
  field("seed", o.seed);
  field("loss", o.loss);
  field("parameters", o.parameters);
  field("warnings", o.warnings);
}

}  // namespace quickselection
