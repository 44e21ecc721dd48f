#!/bin/sh
# Writes SHA256SUMS of all files in FOLDER, as `sha256sum --check` reads it.
set -eu

cd "$1"
rm -f SHA256SUMS
for file in *; do
    [ -f "$file" ] || continue
    sha256sum "$file"
done >../SHA256SUMS.part
mv ../SHA256SUMS.part SHA256SUMS
sha256sum --check --quiet SHA256SUMS
