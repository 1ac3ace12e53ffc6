// tests/extraction/extraction_test.cpp
#include "quickselection/extraction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/files/sealed_file.h"
#include "core/processes/meters.h"
#include "network/training/plain_model.h"
#include "quickselection/error.h"
#include "support/sample_data.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

ExtractOptions small(const std::string& network) {
  ExtractOptions options;
  options.network = network;
  options.layers = {20, 4, 20};
  if (network != "pca") options.network_options = {{"epochs", "3"}};
  return options;
}

RunContext threads(int count) {
  RunContext context;
  context.threads = count;
  return context;
}

std::vector<float> values_of(const Dataset& data) {
  std::vector<float> values;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      values.push_back(static_cast<float>(data.at(r, f)));
  return values;
}

class Extraction : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryNetwork, Extraction, ::testing::Values("sparse", "dense", "pca"));

TEST_P(Extraction, GivesOneRowOfCodesForEachRow) {
  Dataset data = factor_data(250, 15);
  data.labels = make_labels(std::vector<std::string>(250, "a"));
  const Extractor extractor = fit_extractor(data, small(GetParam()), threads(2));
  EXPECT_EQ(extractor.info().features, 15u);
  EXPECT_EQ(extractor.info().dimensions, 4u);
  const Dataset codes = extract(extractor, data);
  EXPECT_EQ(codes.rows(), 250u);
  EXPECT_EQ(codes.features(), 4u);
  EXPECT_EQ(codes.names.size(), 4u);
  ASSERT_TRUE(codes.labels.has_value());
  EXPECT_EQ(codes.labels->codes.size(), 250u);
  for (const float value : values_of(codes)) EXPECT_TRUE(std::isfinite(value));
}

TEST_P(Extraction, IsTheSameAfterSavingAndLoading) {
  const TempFolder folder;
  const Dataset data = factor_data(60, 15), fresh = factor_data(45, 15, 9);
  ExtractOptions options = small(GetParam());
  options.clip = 2.5;
  options.seed = 3;
  const Extractor extractor = fit_extractor(data, options);
  const std::string path = folder / "model";
  save_extractor(path, extractor);
  const Extractor loaded = load_extractor(path);
  EXPECT_EQ(values_of(extract(loaded, fresh)), values_of(extract(extractor, fresh)));
  const ExtractorInfo &a = extractor.info(), &b = loaded.info();
  EXPECT_EQ(a.network, b.network);
  EXPECT_EQ(a.dimensions, b.dimensions);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.clip, b.clip);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.loss, b.loss);
  ASSERT_EQ(a.options.size(), b.options.size());
  for (std::size_t i = 0; i < a.options.size(); ++i)
    EXPECT_EQ(to_text(a.options[i].value), to_text(b.options[i].value)) << a.options[i].name;
}

TEST_P(Extraction, IsTheSameAfterPacking) {
  const Dataset data = factor_data(60, 15);
  const Extractor extractor = fit_extractor(data, small(GetParam()));
  const std::string packed = pack_extractor(extractor);
  const Extractor unpacked = unpack_extractor(packed);
  const Dataset codes = extract(unpacked, data);
  EXPECT_EQ(values_of(codes), values_of(extract(extractor, data)));
  EXPECT_EQ(values_of(decode(unpacked, codes)), values_of(decode(extractor, codes)));
  EXPECT_THROW(unpack_extractor(""), Error);
  EXPECT_THROW(unpack_extractor(packed.substr(0, packed.size() - 2)), Error);
}

TEST_P(Extraction, CodesLeadBackToRowsInTheirOwnUnits) {
  Dataset data = factor_data(400, 15);
  data.labels = make_labels(std::vector<std::string>(400, "a"));
  ExtractOptions options = small(GetParam());
  if (options.network != "pca")
    options.network_options = {{"epochs", "150"},
                               {"dropout", "0"},
                               {"noise", "0"},
                               {"activation", "tanh"},
                               {"epsilon", "100"}};
  if (options.network == "dense") options.network_options.pop_back();
  const Extractor extractor = fit_extractor(data, options, threads(2));
  const Dataset rows = decode(extractor, extract(extractor, data), threads(2));
  ASSERT_EQ(rows.rows(), 400u);
  ASSERT_EQ(rows.features(), 15u);
  EXPECT_TRUE(rows.labels.has_value());
  // Feature f lies around f: two factors explain most of what is left.
  double error = 0, variance = 0;
  for (std::size_t f = 0; f < 15; ++f) {
    double mean = 0;
    for (std::size_t r = 0; r < 400; ++r) mean += data.at(r, f) / 400;
    for (std::size_t r = 0; r < 400; ++r) {
      error += std::pow(data.at(r, f) - rows.at(r, f), 2);
      variance += std::pow(data.at(r, f) - mean, 2);
    }
  }
  EXPECT_LT(error, 0.2 * variance);
}

TEST_P(Extraction, DecodingRefusesOtherColumnsAndValuesThatAreNotFinite) {
  const Extractor extractor = fit_extractor(factor_data(30, 6), small(GetParam()));
  EXPECT_THROW(decode(extractor, factor_data(30, 6)), Error);
  const auto broken = Dataset::from_vector(std::vector<float>{1, INFINITY, 3, 4}, 1, 4);
  EXPECT_THROW(decode(extractor, broken), Error);
}

TEST_P(Extraction, DecodesConstantFeaturesAsTheyWere) {
  std::vector<float> values;
  for (int r = 0; r < 20; ++r) values.insert(values.end(), {5, static_cast<float>(r % 7), -2});
  const auto data = Dataset::from_vector(values, 20, 3);
  ExtractOptions options = small(GetParam());
  options.layers = {2};
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center}) {
    options.scale = mode;
    const Extractor extractor = fit_extractor(data, options);
    const Dataset rows = decode(extractor, extract(extractor, data));
    for (std::size_t r = 0; r < 20; ++r) {
      EXPECT_EQ(rows.at(r, 0), 5);
      EXPECT_EQ(rows.at(r, 2), -2);
    }
  }
}

// All components lose nothing, whatever the scaling.
TEST(PcaExtraction, WithAllComponentsDecodingGivesTheData) {
  std::vector<float> values = values_of(factor_data(50, 8));
  for (float& value : values) value = std::fabs(value);
  const auto data = Dataset::from_vector(values, 50, 8);
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center,
                               ScaleMode::log, ScaleMode::deviation, ScaleMode::none}) {
    ExtractOptions options = small("pca");
    options.layers = {8};
    options.scale = mode;
    const Extractor extractor = fit_extractor(data, options);
    const Dataset rows = decode(extractor, extract(extractor, data));
    for (std::size_t r = 0; r < 50; ++r)
      for (std::size_t f = 0; f < 8; ++f) EXPECT_NEAR(rows.at(r, f), data.at(r, f), 1e-4);
  }
}

TEST_P(Extraction, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = factor_data(300, 40);
  const Extractor one = fit_extractor(data, small(GetParam()), threads(1));
  const Dataset codes = extract(one, data, threads(1));
  const auto expected = values_of(codes);
  const auto decoded = values_of(decode(one, codes, threads(1)));
  for (const int count : {2, 3}) {
    const Extractor other = fit_extractor(data, small(GetParam()), threads(count));
    EXPECT_EQ(values_of(extract(other, data, threads(count))), expected);
    EXPECT_EQ(values_of(decode(other, codes, threads(count))), decoded);
  }
}

TEST_P(Extraction, DoesNotDependOnTheOtherRows) {
  const Dataset data = factor_data(300, 15);
  const Extractor extractor = fit_extractor(data, small(GetParam()));
  const auto all = values_of(extract(extractor, data));
  const auto some = values_of(extract(extractor, data.slice_rows(101, 140)));
  // The last tile is narrower and its products may round in another order.
  for (std::size_t i = 0; i < some.size(); ++i)
    EXPECT_NEAR(some[i], all[101 * 4 + i], 1e-5 * (1 + std::fabs(some[i])));
}

TEST_P(Extraction, RefusesOtherFeaturesAndValuesThatAreNotFinite) {
  const Extractor extractor = fit_extractor(factor_data(30, 6), small(GetParam()));
  EXPECT_THROW(extract(extractor, factor_data(30, 7)), Error);
  const auto broken = Dataset::from_vector(std::vector<float>{1, 2, NAN, 4, 5, 6}, 1, 6);
  EXPECT_THROW(extract(extractor, broken), Error);
}

TEST_P(Extraction, RefusesDamagedFiles) {
  const TempFolder folder;
  const std::string path = folder / "model";
  save_extractor(path, fit_extractor(factor_data(30, 6), small(GetParam())));
  const std::string whole = read_text(path);
  const auto refused = [&](const std::string& content) {
    write_text(path, content);
    EXPECT_THROW(load_extractor(path), Error);
  };
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{60}, whole.size() / 2, whole.size() - 1})
    refused(whole.substr(0, length));
  refused(whole + "x");
  for (const std::size_t place : {std::size_t{3}, std::size_t{50}, whole.size() - 9}) {
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    refused(changed);
  }
  write_text(path, whole);
  EXPECT_NO_THROW(load_extractor(path));
  EXPECT_THROW(load_extractor(folder / "none"), Error);
  EXPECT_THROW(load_extractor(folder.path()), Error);
}

/// Sealed anew, as anybody can do it.
std::string with_header(const std::string& whole,
                        const std::function<void(nlohmann::json&)>& change) {
  const std::size_t begin = whole.find('\n') + 1, fixed = 2 * sizeof(std::uint64_t);
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data() + begin, sizeof length);
  auto header = nlohmann::json::parse(whole.substr(begin + fixed, length));
  change(header);
  const std::string arrays = whole.substr(begin + fixed + length);
  return sealed_bytes(whole.substr(0, begin), header, std::vector{bytes_of(arrays)});
}

TEST_P(Extraction, RefusesSizesThatTheFileDoesNotHold) {
  const std::string whole = pack_extractor(fit_extractor(factor_data(30, 6), small(GetParam())));
  EXPECT_NO_THROW(unpack_extractor(with_header(whole, [](auto&) {})));
  const auto refused = [&](const std::function<void(nlohmann::json&)>& change) {
    const std::size_t before = peak_rss_bytes();
    EXPECT_THROW(unpack_extractor(with_header(whole, change)), Error);
    EXPECT_LT(peak_rss_bytes() - before, std::size_t{10} << 20);
  };
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    refused([&](auto& header) { header["features"] = size; });
    refused([&](auto& header) { header["code layers"] = size; });
    for (const char* const key : {"inputs", "outputs", "connections"})
      refused([&](auto& header) { header["layers"][0][key] = size; });
  }
  refused([](auto& header) {  // each of a size that the next one takes
    header["layers"][0]["outputs"] = header["layers"][1]["inputs"] = 1 << 20;
  });
  refused([](auto& header) { header["features"] = -6; });
  refused([](auto& header) { header["clip"] = -1; });
  refused([](auto& header) { header["network"] = "none"; });
}

TEST_P(Extraction, WorksOnOneRowOneFeatureAndConstantFeatures) {
  const auto constant = Dataset::from_vector(std::vector<float>(30, 3.0f), 10, 3);
  for (const Dataset& data : {factor_data(1, 5), factor_data(20, 1), constant}) {
    ExtractOptions options = small(GetParam());
    options.layers = {1};
    const Extractor extractor = fit_extractor(data, options);
    for (const float value : values_of(extract(extractor, data))) EXPECT_TRUE(std::isfinite(value));
  }
}

// The activations of the network that `train` gives, by hand.
TEST(SparseExtraction, IsTheNarrowestLayerOfTheTrainedNetworkAndDecodingTheRest) {
  const Dataset data = factor_data(50, 10);
  ExtractOptions with_dropout = small("sparse");
  with_dropout.network_options.push_back({"activation", "sigmoid"});
  with_dropout.network_options.push_back({"dropout", "0.2"});
  const Extractor extractor = fit_extractor(data, with_dropout, threads(1));
  const Dataset codes = extract(extractor, data), rows = decode(extractor, codes);
  TrainOptions options;
  options.hidden = {20, 4, 20};
  options.epochs = 3;
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::standard, 0, team);
  SparseModel trained = make_sparse_model(data.features(), options, 0);
  TrainingState state;
  train(trained, state, {data, scaler, 0, team, {}});
  EXPECT_EQ(extractor.info().parameters, trained.network.parameters());
  EXPECT_EQ(extractor.info().loss, state.loss);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    std::vector<double> x(10);
    for (std::size_t f = 0; f < 10; ++f) x[f] = (data.at(r, f) - scaler.mean[f]) * scaler.scale[f];
    for (std::size_t l = 0; l < 4; ++l) {
      const SparseLayer& layer = trained.network.layers[l];
      std::vector<double> y(layer.outputs());
      for (std::size_t j = 0; j < y.size(); ++j) {
        y[j] = layer.bias[j];
        for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
          y[j] += layer.weights[k] * x[layer.columns[k]];
        if (l < 3) y[j] = 0.8 / (1 + std::exp(-y[j]));  // dropout is 0.2
      }
      x = y;
      if (l != 1) continue;
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(codes.at(r, j), x[j], 1e-5);
    }
    for (std::size_t f = 0; f < 10; ++f)
      EXPECT_NEAR(rows.at(r, f), x[f] / scaler.scale[f] + scaler.mean[f], 1e-4);
  }
}

TEST(ExtractOptions, AreCheckedBeforeAnyWork) {
  ExtractOptions options;
  options.network = "deep";
  EXPECT_THROW(check_options(options), InvalidArgument);
  options = small("dense");
  options.network_options = {{"epsilon", "3"}};
  EXPECT_THROW(check_options(options), InvalidArgument);
  options = small("pca");
  options.network_options = {{"epochs", "3"}};
  EXPECT_THROW(check_options(options), InvalidArgument);
  options = small("sparse");
  options.network_options = {{"hidden", "3"}};
  EXPECT_THROW(check_options(options), InvalidArgument);
  options = small("sparse");
  options.layers = {};
  EXPECT_THROW(check_options(options), InvalidArgument);
  options = small("pca");
  options.layers = {11};
  EXPECT_NO_THROW(check_options(options));
  EXPECT_THROW(fit_extractor(factor_data(10, 20), options), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
