#!/bin/sh
# Writes what the window's program is made of, as CycloneDX in JSON, to FILE.
set -eu

file=$1
cd "$(dirname "$0")/../.."
tools=target/tools
[ -x "$tools/bin/cargo-cyclonedx" ] || [ -x "$tools/bin/cargo-cyclonedx.exe" ] ||
    cargo install --quiet --locked --root "$tools" cargo-cyclonedx --version 0.5.9
PATH=$PWD/$tools/bin:$PATH
cargo cyclonedx --format json --spec-version 1.5 --override-filename hearth-sbom --manifest-path app/Cargo.toml
mkdir -p "$(dirname "$file")"
mv app/hearth-sbom.json "$file"
# It writes one beside the manifest of each crate of the workspace.
find . -name hearth-sbom.json -not -path './target/*' -delete
