#!/usr/bin/env bash
# Installs the missing Debian packages of some parts of scripts/packages.txt: install_deps.sh build test
set -euo pipefail
cd "$(dirname "$0")"
missing=()
while read -r package; do
  # A command of that name is as good.
  command -v "$package" >/dev/null && continue
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing+=("$package")
done < <(awk -v parts="$*" '/^#/ { next } /^\[/ { on = index(" " parts " ", " " substr($0, 2, length($0) - 2) " "); next } on' packages.txt)
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "error: these packages are missing and this is not a Debian system: ${missing[*]}" >&2
  exit 1
fi
sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
