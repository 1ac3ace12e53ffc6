// examples/select.cpp: the ten best features of a file, as in the README.
#include <quickselection/dataset.h>
#include <quickselection/selection.h>

#include <iostream>

int main(int, char** argv) {
  namespace qs = quickselection;
  const qs::Dataset data = qs::read(argv[1]);
  qs::SelectOptions options;
  options.method_options = {{"epochs", "50"}};
  const qs::Selection selection = qs::select_features(data, options);
  for (std::size_t i = 0; i < 10; ++i) std::cout << data.name(selection.ranking[i]) << "\n";
}
