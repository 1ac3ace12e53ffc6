// examples/select.cpp: the best features of a file, as in the README.
#include <quickselection/dataset.h>
#include <quickselection/error.h>
#include <quickselection/selection.h>

#include <iostream>

int main(int argc, char** argv) try {
  namespace qs = quickselection;
  const qs::Dataset data = qs::read(argc > 1 ? argv[1] : "data.csv");
  qs::SelectOptions options;
  options.method_options = {{"epochs", "50"}};
  const qs::Selection selection = qs::select_features(data, options);
  for (std::size_t i = 0; i < selection.k; ++i)
    std::cout << data.ranked_name(selection.ranking[i]) << "\n";
} catch (const std::exception& error) {  // says which file, row, column and value
  std::cerr << error.what() << "\n";
  return 1;
}
