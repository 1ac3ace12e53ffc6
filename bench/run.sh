#!/usr/bin/env bash
# All benchmarks, one after the other; the output goes to the screen and to bench/results/, named
# after the processor. Run on an otherwise idle machine.
set -euo pipefail
cd "$(dirname "$0")/.."
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
file="bench/results/$(echo "$cpu" | tr -cs 'A-Za-z0-9\n' '-' | sed 's/-*$//').md"
{
  echo "# $cpu, $(nproc) cores, $(date -u +%Y-%m-%d)"
  echo
  echo '`make bench`; every figure of speed is a ratio to something measured in the same run.'
  for part in "build/release/bin/bench_training" "build/release/bin/bench_kernels" \
    "build/release/bin/bench_csv_parse" "bench/numpy_reference.py" "bench/whole_program.py" \
    "bench/python_binding.py"; do
    echo
    echo "## $part"
    echo
    if [[ $part == *whole_program* || $part == *python_binding* ]]; then
      PYTHONPATH=build/release/python $part
    else
      echo '```'
      $part 2>/dev/null
      echo '```'
    fi
  done
} | tee "$file"
