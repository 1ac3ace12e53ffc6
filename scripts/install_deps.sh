#!/usr/bin/env bash
# Installs the Debian packages of scripts/packages.txt that are missing. Does nothing when none is.
set -euo pipefail
cd "$(dirname "$0")"
missing=()
while read -r package; do
  # A command of that name is as good: npm comes with some packages of nodejs.
  command -v "$package" >/dev/null && continue
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing+=("$package")
done < <(grep -v '^#' packages.txt)
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
