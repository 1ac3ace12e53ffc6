// src/data/dataset/label_codes.cpp: see label_codes.h.
#include "data/dataset/label_codes.h"

#include <cmath>

#include "data/formats/csv/csv.h"

namespace quickselection {

NumberLabels number_labels(const Labels& labels) {
  NumberLabels numbers;
  for (const std::string& name : labels.classes) {
    double value = 0;
    numbers.as_they_are &= parse_number(name, value) && std::isfinite(value);
    numbers.values.push_back(value);
  }
  numbers.texts = labels.classes;
  if (numbers.as_they_are) return numbers;
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    numbers.values[c] = static_cast<double>(c);
    numbers.texts[c] = std::to_string(c);
  }
  return numbers;
}

}  // namespace quickselection
