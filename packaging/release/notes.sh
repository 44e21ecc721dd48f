#!/bin/sh
# Prints what CHANGELOG.md says of VERSION; fails where it says nothing.
set -eu

cd "$(dirname "$0")/../.."
notes=$(awk -v version="$1" '
    /^## / { inside = index($0, "[" version "]") == 4 ; next }
    inside { print }
' CHANGELOG.md)
[ -n "$(printf %s "$notes" | tr -d '[:space:]')" ] || {
    echo "notes.sh: CHANGELOG.md says nothing of $1" >&2
    exit 1
}
printf '%s\n' "$notes"
