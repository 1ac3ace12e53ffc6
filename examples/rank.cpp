// examples/rank.cpp: a ranking from C++. Prints the features of a file, best first:
//
//   rank DATA METHOD K SEED [option=value ...]
#include <quickselection/dataset.h>
#include <quickselection/selection.h>

#include <cstdio>
#include <exception>
#include <string>

namespace qs = quickselection;

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fputs("usage: rank DATA METHOD K SEED [option=value ...]\n", stderr);
    return 2;
  }
  qs::SelectOptions options;
  options.method = argv[2];
  options.k = std::stoul(argv[3]);
  options.seed = std::stoull(argv[4]);
  for (int i = 5; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t equals = text.find('=');
    options.method_options.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  const qs::Dataset data = qs::read(argv[1]);
  const qs::Selection selection = qs::select_features(data, options);
  for (const std::uint32_t feature : selection.ranking) std::printf("%u\n", feature);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
