// src/selectors/methods/udfs.cpp: Unsupervised Discriminative Feature Selection (Yang et al.,
// 2011): a projection that keeps neighbourhoods apart, with few features in it (L2,1 norm).
#include <fmt/format.h>

#include <algorithm>

#include "core/pace.h"
#include "core/processes/meters.h"
#include "kernels/gemm.h"
#include "kernels/orthonormal.h"
#include "kernels/random/random.h"
#include "kernels/symmetric_eigen.h"
#include "quickselection/error.h"
#include "selectors/graph/graph.h"
#include "selectors/graph/scatter.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

struct UdfsOptions {
  int neighbors = 5;
  int clusters = 5;
  double gamma = 0.1;
  double lambda = 0.1;
  int iterations = 100;
};

void for_each_field(OptionsOf<UdfsOptions> auto& o, auto&& field) {
  field("neighbors", o.neighbors, between(1, 100), "Nearest rows that each row is compared with.");
  field("clusters", o.clusters, between(1, 1e4),
        "Dimensions of the projection; best the number of groups in the data.");
  field("gamma", o.gamma, above(0), "How much features are made to compete.");
  field("lambda", o.lambda, above(0), "Added to the scatter of each neighbourhood.");
  field("iterations", o.iterations, between(1, 1e5), "At most; it stops when it has settled.");
}

// A row of W of this size or less counts as zero; its square keeps the norm smooth there.
constexpr double kZeroRow = 1e-6;
// Settled: the objective falls by less than this share of itself.
constexpr double kSettled = 1e-7;

// Extra vectors keep the wanted ones apart from the rest of the spectrum, and see multiple
// eigenvalues, which a search from a single vector does not.
constexpr long kExtra = 4;
constexpr long kPowers = 4;  // of the inverse in one search space
constexpr int kCycles = 40;
constexpr double kTolerance = 1e-10;

/// a b, or a' b
Eigen::MatrixXd product(const Side& a, const DenseView& b) {
  Eigen::MatrixXd out(a.transposed ? a.matrix.cols() : a.matrix.rows(), b.cols());
  multiply_add(a, {b}, out, false);
  return out;
}

/// Orthonormal columns that span v, orthogonal to `basis`.
Eigen::MatrixXd orthonormal(const DenseView& basis, Eigen::MatrixXd v) {
  const auto leave_basis = [&] {
    if (basis.cols() > 0) v -= product({basis}, product({basis, true}, v));
  };
  for (int pass = 0; pass < 2; ++pass) {
    leave_basis();
    kernels::make_orthonormal(v.data(), static_cast<std::size_t>(v.cols()),
                              static_cast<std::size_t>(v.rows()));
  }
  leave_basis();
  return v;
}

/// Eigenvectors in the columns, by ascending eigenvalue.
struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Eigenpairs least_eigenpairs(const Eigen::MatrixXd& symmetric, long count) {
  const auto eigen =
      kernels::symmetric_eigen({symmetric.data(), symmetric.data() + symmetric.size()},
                               static_cast<std::size_t>(symmetric.rows()));
  return {Eigen::Map<const Eigen::VectorXd>(eigen.values.data(), count),
          Eigen::Map<const Eigen::MatrixXd>(eigen.vectors.data(), symmetric.rows(), count)};
}

/// How many columns `start` should have.
long search_width(long size, long count) { return std::min(size, count + kExtra); }

/// DenseView: at least `count` orthonormal vectors, by ascending eigenvalue; the first `count` are
/// eigenvectors, the others are good to start the next search from. The sum of their Rayleigh
/// quotients is never above that of the first columns of `start`, even before convergence.
Eigen::MatrixXd least_eigenvectors(const Scatter& matrix, long count, Eigen::MatrixXd start,
                                   const Pace& pace) {
  const long size = matrix.size(), width = start.cols();
  if (size <= 3 * (kPowers + 1) * width) return least_eigenpairs(matrix.dense(), width).vectors;
  Eigen::MatrixXd basis(size, (kPowers + 1) * width);
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    pace.check_stop();
    basis.leftCols(width) = orthonormal(basis.leftCols(0), start);
    for (long power = 1; power <= kPowers; ++power)
      basis.middleCols(power * width, width) =
          orthonormal(basis.leftCols(power * width),
                      matrix.solve(basis.middleCols((power - 1) * width, width)));
    const Eigen::MatrixXd image = matrix.multiply(basis);
    const Eigenpairs least = least_eigenpairs(product({basis, true}, image), width);
    start = product({basis}, least.vectors);
    const Eigen::MatrixXd moved = product({image}, least.vectors.leftCols(count));
    double residual = 0;
    for (long i = 0; i < count; ++i)
      residual = std::max(residual, (moved.col(i) - least.values(i) * start.col(i)).norm());
    if (residual <= kTolerance * least.values(count - 1)) break;
  }
  return start;
}

Eigen::VectorXd smooth_norms(const Eigen::MatrixXd& w) {
  return (w.rowwise().squaredNorm().array() + kZeroRow * kZeroRow).sqrt();
}

void check_memory(std::size_t rows, std::size_t features, std::size_t width, bool narrow) {
  const std::size_t needed = Scatter::bytes(rows, features, narrow) + 8 * 12 * features * width;
  const std::size_t available = available_memory_bytes();
  if (needed <= available) return;
  throw Error(
      fmt::format("udfs needs {:.1f} GB of memory for {} rows x {} features, but {:.1f} GB "
                  "are available",
                  static_cast<double>(needed) / 1e9, rows, features,
                  static_cast<double>(available) / 1e9),
      "keep fewer features first, for example with ‹method laplacian_score› and ‹selected›");
}

/// Minimises Tr(W'MW) + gamma |W|_{2,1} over W with orthonormal columns, by weights that make the
/// second term quadratic; each step solves that problem exactly, so the objective falls.
class Minimiser {
 public:
  Minimiser(Scatter& scatter, const UdfsOptions& options, std::size_t rows, std::uint64_t seed)
      : scatter_(scatter),
        options_(options),
        count_(std::min<long>(options.clusters, scatter.size())) {
    // With D = I and more features than rows, M has many eigenvectors with eigenvalue 0, and none
    // is better than another: D comes from the size that their rows have on average.
    norms_ = Eigen::VectorXd::Constant(scatter.size(), 0.5);
    if (scatter.size() >= static_cast<long>(rows) + count_) {
      const Eigen::VectorXd free = scatter.freedom();
      const double sum = std::max(free.sum(), 1e-300);
      norms_ = (free * (static_cast<double>(count_) / sum)).array() + kZeroRow * kZeroRow;
      norms_ = norms_.cwiseSqrt().eval();
    }
    kernels::RandomStream random(seed, kernels::Purpose::selection);
    w_.resize(scatter.size(), search_width(scatter.size(), count_));
    for (double& x : w_.reshaped()) x = random.normal();
  }

  /// The objective after one more step.
  double step(const Pace& pace) {
    scatter_.set_diagonal(options_.gamma / 2 * norms_.cwiseInverse());
    w_ = least_eigenvectors(scatter_, count_, std::move(w_), pace);
    const Eigen::MatrixXd w = w_.leftCols(count_);
    norms_ = smooth_norms(w);
    return w.cwiseProduct(scatter_.multiply_m(w)).sum() + options_.gamma * norms_.sum();
  }

  Eigen::VectorXd scores() const { return w_.leftCols(count_).rowwise().norm(); }

 private:
  Scatter& scatter_;
  const UdfsOptions& options_;
  const long count_;
  Eigen::VectorXd norms_;  // of the rows of W
  Eigen::MatrixXd w_;      // the first count_ columns are W
};

MethodOutput rank_by_udfs(const MethodInput& in) {
  const kernels::SerialBlas serial;
  const auto options = parse_options<UdfsOptions>(in.given, kUdfs.name);
  MethodOutput out;
  const std::size_t count = usable_neighbours(options.neighbors, in.data, kUdfs.name, out.warnings);
  // A constant feature would be the perfect answer: no scatter at all. It takes no part.
  std::vector<std::uint32_t> features;
  for (std::uint32_t f = 0; f < in.data.features(); ++f)
    if (!in.scaler.is_constant(f)) features.push_back(f);
  out.scores.assign(in.data.features(), 0.0);
  out.options = settings_of(options);
  if (features.empty()) return out;
  const std::size_t rows = in.data.rows(), clusters = static_cast<std::size_t>(options.clusters);
  const bool narrow = features.size() >= rows + clusters;
  check_memory(rows, features.size(), clusters, narrow);

  const RowReader data({&in.data, {}, &in.scaler});
  const Neighbours neighbours =
      nearest_neighbours(data, count, Metric::euclidean, in.team, in.context);
  Pace pace("minimise", options.iterations, in.context);
  Scatter scatter({data.from(), features},
                  local_scatter(data, neighbours, options.lambda, in.team, pace), narrow, in.team,
                  pace);
  Minimiser minimiser(scatter, options, rows, in.seed);
  bool settled = false;
  for (int i = 0; i < options.iterations && !settled; ++i) {
    out.loss.push_back(minimiser.step(pace));
    pace.advance(1);
    settled =
        i > 0 && out.loss[out.loss.size() - 2] - out.loss.back() <= kSettled * out.loss.back();
  }
  if (!settled && options.iterations > 1)
    out.warnings.push_back(
        {WarningKind::not_converged,
         fmt::format("the objective was still falling after {} iterations; raise "
                     "‹iterations›",
                     options.iterations)});
  const Eigen::VectorXd scores = minimiser.scores();
  for (std::size_t i = 0; i < features.size(); ++i)
    out.scores[features[i]] = scores(static_cast<long>(i));
  return out;
}

}  // namespace

constinit const Method kUdfs{
    .name = "udfs",
    .class_name = "UDFS",
    .summary =
        "Features of a projection that keeps neighbourhoods apart, made few by the "
        "L2,1 norm.",
    .scale = ScaleMode::minmax,
    .options = options_of<UdfsOptions>(),
    .run = rank_by_udfs,
};

}  // namespace quickselection
