#!/bin/sh
# Holds the packaged program beside one that was built with this machine's own instructions, in turns, since a machine is not
# equally fast at all times:
#   speed.sh NATIVE_HEARTH_CLI PACKAGED_HEARTH_CLI MODEL.gguf [TURNS]
# Prints how fast each reads a prompt, the median of all turns, and their ratio; fails where that is below 0.97.
set -eu

native=$1 packaged=$2 model=$3 turns=${4:-7}
least=0.97
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Tokens a second of one turn: read_prompt PROGRAM
read_prompt() {
    HEARTH_HOME=$work/home HEARTH_NO_KEYRING=1 "$1" bench --offline --json --prompt 512 --tokens 4 --rounds 1 "$model" |
        sed -n 's/.*"prompt":{[^}]*"median":\([0-9.]*\).*/\1/p'
}
median() {
    sort -n "$1" | awk '{ all[NR] = $1 } END { print (all[int((NR + 1) / 2)] + all[int(NR / 2) + 1]) / 2 }'
}

# Both have the file in the system's memory before it counts.
read_prompt "$native" >/dev/null
read_prompt "$packaged" >/dev/null
turn=0
while [ "$turn" -lt "$turns" ]; do
    read_prompt "$native" >>"$work/native"
    read_prompt "$packaged" >>"$work/packaged"
    turn=$((turn + 1))
done
[ "$(wc -l <"$work/packaged")" = "$turns" ] || {
    echo "speed.sh: a turn told no speed" >&2
    exit 1
}
"$packaged" devices | sed 's/^/  /'
awk -v native="$(median "$work/native")" -v packaged="$(median "$work/packaged")" -v least="$least" -v turns="$turns" 'BEGIN {
    ratio = packaged / native
    printf "prompt, tokens a second, median of %d: native %.1f, packaged %.1f, ratio %.3f\n", turns, native, packaged, ratio
    exit ratio >= least ? 0 : 1
}'
