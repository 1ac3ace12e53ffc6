// src/data/dataset/label_codes.h: labels for formats that only have numbers.
#pragma once

#include <string>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

struct NumberLabels {
  std::vector<std::string> texts;  ///< one for each class
  std::vector<double> values;
  bool as_they_are = true;  ///< false: the classes are no numbers, and got 0, 1, 2, ...
};

NumberLabels number_labels(const Labels& labels);

}  // namespace quickselection
