// src/kernels/tile.cpp: see tile.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "kernels/layer/layer.h"
#include "kernels/layer/packed-inl.h"
#include "kernels/random/random-inl.h"
#include "kernels/tile.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F32());
using F128 = hn::FixedTag<float, 4>;

/// One row's values of at most one block of features, scaled: any type, any scaling.
template <class T>
HWY_NOINLINE void ScaleAny(const T* values, std::size_t count, const Scaling& scaling,
                           std::size_t feature, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = scaled(scaling, feature + i, values[i]);
}

/// The same, to the bit, for a whole block of a narrow type without logarithm, which is most data.
template <class T>
HWY_INLINE void ScaleNarrow(const T* HWY_RESTRICT values, const Scaling& scaling,
                            std::size_t feature, float* HWY_RESTRICT out) {
  const hn::CappedTag<float, kTileBlock> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<T, decltype(d)> dt;
  const auto clip = hn::Set(d, scaling.clip > 0 ? scaling.clip : hwy::HighestValue<float>());
  for (std::size_t i = 0; i < kTileBlock; i += hn::MaxLanes(d)) {
    hn::Vec<decltype(d)> x;
    if constexpr (std::is_same_v<T, float>)
      x = hn::LoadU(dt, values + i);
    else
      x = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(dt, values + i)));
    x = hn::Sub(x, hn::LoadU(d, scaling.narrow_mean + feature + i));
    x = hn::Mul(x, hn::LoadU(d, scaling.scale + feature + i));
    hn::StoreU(hn::Min(hn::Max(x, hn::Neg(clip)), clip), d, out + i);
  }
}

/// The 128-bit pieces at p, p + step, … side by side in one vector.
HWY_INLINE VF LoadPieces(const float* p, std::size_t step) {
  const F32 d;
  const F128 d4;
#if HWY_MAX_BYTES == 16
  (void)step;
  (void)d4;
  return hn::Load(d, p);
#elif HWY_MAX_BYTES == 32
  return hn::Combine(d, hn::Load(d4, p + step), hn::Load(d4, p));
#else
  const hn::Half<F32> half;
  return hn::Combine(d, hn::Combine(half, hn::Load(d4, p + 3 * step), hn::Load(d4, p + 2 * step)),
                     hn::Combine(half, hn::Load(d4, p + step), hn::Load(d4, p)));
#endif
}

/// Columns f … f+3 of kLanes samples, out of rows of kTileBlock floats.
HWY_INLINE void TransposeFour(const float* rows, VF* HWY_RESTRICT out) {
  const F32 d;
  const hn::Repartition<double, F32> pairs;
  const std::size_t step = 4 * kTileBlock;
  const VF a = LoadPieces(rows, step), b = LoadPieces(rows + kTileBlock, step);
  const VF c = LoadPieces(rows + 2 * kTileBlock, step), e = LoadPieces(rows + 3 * kTileBlock, step);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  out[0] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low));
  out[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low));
  out[2] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high));
  out[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high));
}

using Rows = float[kMaxStride][kTileBlock];   // (B, features of one block), of stored rows
using Block = float[kTileBlock][kMaxStride];  // the same as it is wanted: (features, B)

HWY_NOINLINE void Transpose(const Rows& rows, std::size_t stride, Block& block) {
  for (std::size_t s = 0; s < stride; s += kLanes) {
    VF x[kTileBlock];
    TransposeFour(rows[s], x);
    TransposeFour(rows[s] + 4, x + 4);
    for (std::size_t f = 0; f < kTileBlock; ++f) hn::Store(x[f], F32(), block[f] + s);
  }
}

/// Byte i of every word as a number.
template <class T, int i>
HWY_INLINE VF ByteOf(VU words) {
  const hn::RebindToSigned<U32> di;
  const VU upper = hn::ShiftLeft<24 - 8 * i>(words);
  if constexpr (std::is_signed_v<T>)
    return hn::ConvertTo(F32(), hn::ShiftRight<24>(hn::BitCast(di, upper)));
  else
    return hn::ConvertTo(F32(), hn::BitCast(di, hn::ShiftRight<24>(upper)));
}

/// A block of bytes, two words of each row, transposed and scaled to the bits of ScaleNarrow. It is
/// faster to scale samples side by side, because they share mean and scale.
template <class T>
HWY_INLINE void ScaleBytes(const std::uint32_t* HWY_RESTRICT words, const Scaling& scaling,
                           std::size_t feature, std::size_t stride, Block& block) {
  const F32 d;
  const U32 d32;
  const VF clip = hn::Set(d, scaling.clip > 0 ? scaling.clip : hwy::HighestValue<float>());
  for (std::size_t s = 0; s < stride; s += kLanes, words += 2 * kLanes) {
    const VU a = hn::Load(d32, words), b = hn::Load(d32, words + kLanes);
    const auto store = [&](std::size_t f, VF x) HWY_ATTR {
      x = hn::Sub(x, hn::Set(d, scaling.narrow_mean[feature + f]));
      x = hn::Mul(x, hn::Set(d, scaling.scale[feature + f]));
      hn::Store(hn::Min(hn::Max(x, hn::Neg(clip)), clip), d, block[f] + s);
    };
    const auto store_four = [&](std::size_t f, VU four) HWY_ATTR {
      store(f, ByteOf<T, 0>(four));
      store(f + 1, ByteOf<T, 1>(four));
      store(f + 2, ByteOf<T, 2>(four));
      store(f + 3, ByteOf<T, 3>(four));
    };
    store_four(0, hn::ConcatEven(d32, b, a));
    store_four(4, hn::ConcatOdd(d32, b, a));
  }
}

/// Scales one block of features of every sample of dense rows.
template <class T>
struct DenseSource {
  const TileJob& job;
  const T* values[kMaxStride];  // of each row

  DenseSource(const TileJob& tile_job, std::size_t) : job(tile_job) {
    for (std::size_t s = 0; s < job.samples; ++s)
      values[s] = reinterpret_cast<const T*>(job.from.values.row(job.row_ids[s]));
  }

  HWY_INLINE void Read(std::size_t feature, std::size_t count, Block& block) {
    const bool narrow = kNarrow<T> && count == kTileBlock && job.scaling.unit == nullptr;
    if constexpr (sizeof(T) == 1) {
      if (narrow) {
        alignas(64) std::uint32_t words[2 * kMaxStride];
        for (std::size_t s = 0; s < job.samples; ++s)
          std::memcpy(words + 2 * s, Next(s, feature), kTileBlock);
        ScaleBytes<T>(words, job.scaling, feature, job.stride, block);
        return;
      }
    }
    alignas(64) Rows rows;
    for (std::size_t s = 0; s < job.samples; ++s) {
      const T* const row = Next(s, feature);
      if constexpr (kNarrow<T> && sizeof(T) > 1) {
        if (narrow) {
          ScaleNarrow(row, job.scaling, feature, rows[s]);
          continue;
        }
      }
      ScaleAny(row, count, job.scaling, feature, rows[s]);
    }
    Transpose(rows, job.stride, block);
  }

  /// A block of a row; what follows will be wanted soon.
  HWY_INLINE const T* Next(std::size_t s, std::size_t feature) const {
    const T* const block = values[s] + feature;
    __builtin_prefetch(block + 128 / sizeof(T));
    return block;
  }
};

/// The same for sparse rows. Blocks are asked for in ascending order, so each row is read once.
template <class T>
struct SparseSource {
  const TileJob& job;
  std::uint64_t next[kMaxStride];  // first place of each row that was not used yet

  SparseSource(const TileJob& tile_job, std::size_t begin) : job(tile_job) {
    for (std::size_t s = 0; s < job.samples; ++s) {
      const std::uint64_t* row = job.from.offsets + job.row_ids[s];
      const auto* const found =
          std::lower_bound(job.from.columns + row[0], job.from.columns + row[1], begin);
      next[s] = static_cast<std::uint64_t>(found - job.from.columns);
    }
  }

  HWY_INLINE void Read(std::size_t feature, std::size_t count, Block& block) {
    alignas(64) Rows rows;
    const T* const values = reinterpret_cast<const T*>(job.from.values.data);
    const T zeros[kTileBlock] = {};
    alignas(64) float empty[kTileBlock] = {};
    ScaleAny(zeros, count, job.scaling, feature, empty);
    for (std::size_t s = 0; s < job.samples; ++s) {
      std::copy(empty, empty + kTileBlock, rows[s]);
      const std::uint64_t end = job.from.offsets[job.row_ids[s] + 1];
      for (; next[s] < end && job.from.columns[next[s]] < feature + count; ++next[s]) {
        const std::size_t column = job.from.columns[next[s]];
        ScaleAny(values + next[s], 1, job.scaling, column, rows[s] + (column - feature));
      }
    }
    Transpose(rows, job.stride, block);
  }
};

/// One vector of samples, with noise.
HWY_INLINE void FillVector(const TileJob& job, const LaneKey& key, const Block& block,
                           const std::uint32_t* ids, std::size_t feature, std::size_t count,
                           std::size_t s, VF* HWY_RESTRICT x) {
  const F32 d;
  VF level = hn::Set(d, job.noise.level);
  for (std::size_t f = 0; f < kTileBlock; ++f) x[f] = hn::Load(d, block[f] + s);
  if (s + kLanes > job.samples) {
    const auto valid = hn::FirstN(d, s < job.samples ? job.samples - s : 0);
    for (std::size_t f = 0; f < kTileBlock; ++f) x[f] = hn::IfThenElseZero(valid, x[f]);
    level = hn::IfThenElseZero(valid, level);
  }
  if (job.clean != nullptr)
    for (std::size_t f = 0; f < count; ++f)
      hn::Store(x[f], d, job.clean + (feature + f) * job.stride + s);
  if (job.noise.level == 0 || (job.noisy == nullptr && job.packed == nullptr)) return;
  const U32 d32;
  const auto place = static_cast<std::uint32_t>(feature / kTileBlock);
  const Bits bits = PhiloxLanes(key, hn::Set(d32, place), hn::Load(d32, ids + s));
  for (std::size_t pair = 0; pair < 4; ++pair) {
    VF first, second;
    NormalPair(bits.word[pair], first, second);
    x[2 * pair] = hn::MulAdd(level, first, x[2 * pair]);
    x[2 * pair + 1] = hn::MulAdd(level, second, x[2 * pair + 1]);
  }
}

/// The same for all samples. One for all types of values.
HWY_NOINLINE void FillBlock(const TileJob& job, const Block& block, const std::uint32_t* ids,
                            std::size_t feature, std::size_t count) {
  const F32 d;
  const LaneKey key(job.noise.seed, Purpose::noise, job.noise.epoch);
  const std::size_t words = packed_stride(job.stride, kLanes);
  VF even[kTileBlock], odd[kTileBlock];
  for (std::size_t s = 0; s < job.stride; s += 2 * kLanes) {
    const auto noisy = [&](std::size_t at, const VF* x) HWY_ATTR {
      if (job.noisy == nullptr) return;
      for (std::size_t f = 0; f < count; ++f)
        hn::Store(x[f], d, job.noisy + (feature + f) * job.stride + at);
    };
    FillVector(job, key, block, ids, feature, count, s, even);
    noisy(s, even);
    if (s + kLanes < job.stride) {
      FillVector(job, key, block, ids, feature, count, s + kLanes, odd);
      noisy(s + kLanes, odd);
    } else {
      for (VF& x : odd) x = hn::Zero(d);
    }
    if (job.packed == nullptr) continue;
    for (std::size_t f = 0; f < count; ++f)
      hn::Store(PackPair(even[f], odd[f]), U32(), job.packed + (feature + f) * words + s / 2);
  }
}

void FillTile(const TileJob& job, std::size_t begin, std::size_t end) {
  alignas(64) std::uint32_t ids[kMaxStride];
  for (std::size_t s = 0; s < job.stride; ++s) ids[s] = job.row_ids[s < job.samples ? s : 0];
  visit_type(job.from.values.type, [&]<class T>() {
    const auto fill = [&](auto source) {
      alignas(64) Block block;
      for (std::size_t f = begin; f < end; f += kTileBlock) {
        const std::size_t count = HWY_MIN(kTileBlock, end - f);
        source.Read(f, count, block);
        FillBlock(job, block, ids, f, count);
      }
    };
    if (job.from.offsets == nullptr)
      fill(DenseSource<T>(job, begin));
    else
      fill(SparseSource<T>(job, begin));
  });
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(FillTile);

void fill_tile(const TileJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(FillTile)(job, begin, end);
}

}  // namespace quickselection::kernels
#endif
