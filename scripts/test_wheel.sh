#!/usr/bin/env bash
# scripts/test_wheel.sh: builds the wheel as `pip install .` does, installs it beside the newest
# scikit-learn in a virtual environment below build/, and runs the Python tests there; then those of
# Parquet and Arrow files with a program that has the Arrow library of the newest pyarrow.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
folder=build/newest
venv=$folder/venv
packages=(numpy scipy scikit-learn joblib pandas polars pyarrow pytest tqdm matplotlib)
optional=(anndata)  # may lag behind the others

skip() {
  echo "skipped: no package index"
  exit 0
}

[ -x "$venv/bin/pip" ] || "$python" -m venv "$venv"
pip=("$venv/bin/python" -m pip --disable-pip-version-check)
timeout 60 "${pip[@]}" download --quiet --no-deps --retries 0 --timeout 15 \
  --dest "$folder/probe" pybind11 > /dev/null 2>&1 || skip

# The newest of today: looked for once a day.
wanted="$(date +%F) $("$python" --version) ${packages[*]} ${optional[*]}"
if [ "$(cat "$folder/packages" 2> /dev/null)" != "$wanted" ]; then
  "${pip[@]}" install --quiet --upgrade "${packages[@]}"
  "${pip[@]}" install --quiet --upgrade "${optional[@]}" || echo "without: ${optional[*]}"
  echo "$wanted" > "$folder/packages"
fi

sources=(CMakeLists.txt pyproject.toml README.md LICENSE include src cli python report scripts/make_stubs.py)
wheel=$(ls "$folder"/wheel/*.whl 2> /dev/null || true)
if [ -z "$wheel" ] || [ -n "$(find "${sources[@]}" -newer "$wheel" -print -quit)" ]; then
  rm -rf "$folder/wheel" "$folder/wheel.new"
  # The names that CMake finds by itself, so that ccache knows what `make build` has compiled.
  export CC=${CC:-cc} CXX=${CXX:-c++}
  "${pip[@]}" wheel --quiet --no-deps --wheel-dir "$folder/wheel.new" .
  "${pip[@]}" install --quiet --no-deps --force-reinstall "$folder"/wheel.new/*.whl
  mv "$folder/wheel.new" "$folder/wheel"
fi

unset PYTHONPATH
"$venv/bin/python" -c 'import sklearn; print("wheel with scikit-learn", sklearn.__version__)'
program=$("$venv/bin/python" -c 'from quickselection.__main__ import program; print(program())')
QUICKSELECTION_BIN="$program" \
  "$venv/bin/python" -m pytest -q -p no:cacheprovider "${@:-tests/python}"

[ $# -eq 0 ] || exit 0
# Arrow is one file and a link more in what `make build` has compiled; the preset takes it out again.
cmake --preset release -DQS_ARROW=ON -DPython3_EXECUTABLE="$PWD/$venv/bin/python" > /dev/null
cmake --build build/release --target quickselection fuzz_readers
for format in arrow parquet; do build/release/bin/fuzz_readers --format "$format" --count 5000; done
QUICKSELECTION_BIN=build/release/bin/quickselection \
  "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/cli/files/arrow_test.py
cmake --preset release > /dev/null
cmake --build build/release --target quickselection fuzz_readers
