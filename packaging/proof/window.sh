#!/bin/sh
# Opens the installed window on a virtual screen that is outside of the root, chats with mouse and keys, and takes a picture:
#   window.sh ROOT PICTURES NAME FOLDER_OF_THE_PROGRAMS
# DISPLAY names the screen. No part of the program is made for tests, so that what is looked at is the picture, and what
# hearth-cli tells of the chats, since it asks the Hearth that runs.
set -eu

root=$1 pictures=$2 name=$3 programs=$4
search=/usr/local/bin:/usr/bin:/bin

fail() {
    echo "window.sh: $*" >&2
    exit 1
}

# Its end is that of the command, so that a signal meets it: start COMMAND...
start() {
    exec unshare --net chroot --userspec=ada:ada "$root" env -i PATH="$search" HOME=/home/ada USER=ada LANG=C.UTF-8 \
        DISPLAY="$DISPLAY" LP_PERF=no_rast_linear XDG_RUNTIME_DIR=/run/ada HEARTH_NO_KEYRING=1 "$@"
}

in_root() {
    (start "$@")
}

# Waits for a command to succeed, ten times a second: until SECONDS WHAT COMMAND...
until_it() {
    tries=$(($1 * 10)) what=$2
    shift 2
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what does not come"
        sleep 0.1
    done
}

Xvfb "$DISPLAY" -screen 0 1280x800x24 -nolisten tcp >"$pictures/screen.log" 2>&1 &
screen=$!
trap 'kill $screen 2>/dev/null || true' EXIT
until_it 20 "the screen" xdotool getdisplaygeometry

start "$programs/hearth" >"$pictures/$name.log" 2>&1 </dev/null &
hearth=$!
until_it 120 "the window" xdotool search --onlyvisible --name '^Hearth$'
window=$(xdotool search --onlyvisible --name '^Hearth$' | head -1)
xdotool windowsize "$window" 1280 800 windowmove "$window" 0 0 windowfocus "$window"
# The window listens once its backend runs.
listens() {
    in_root "$programs/hearth-cli" ps --json
}
until_it 60 "the backend" listens

# The steps of the first start are closed, then something is typed and sent.
xdotool mousemove 700 300
sleep 4
xdotool key Escape
sleep 1
import -window root "$pictures/$name-start.png"
# Characters that are on no key come by the clipboard of X in programs; here the terminal says them to the window that runs.
in_root "$programs/hearth-cli" run --temp 0 --max-tokens 24 \
    SmolLM2-135M-Instruct-Q4_1 'Say: Grüße, 你好世界, 😀🔥' >"$pictures/$name-answer.txt"
[ -s "$pictures/$name-answer.txt" ] || fail "the window's backend answered nothing"
xdotool key ctrl+n
sleep 1
xdotool type --delay 40 'What is a hearth?'
sleep 1
xdotool key Return
# The newest chat, as it is stored: whether its answer has come to an end.
answered() {
    newest=$(in_root "$programs/hearth-cli" chats --json | sed -n 's/^\[{"id":\([0-9]*\),"title":"What is a hearth?".*/\1/p')
    [ -n "$newest" ] || return 1
    rm -f "$root/home/ada/chat.json"
    in_root "$programs/hearth-cli" chats export "$newest" /home/ada/chat.json
    tr -d ' \n' <"$root/home/ada/chat.json" | grep -q '"role":"assistant","text":"[^"].*"stop":{'
}
until_it 120 "the answer" answered
rm -f "$root/home/ada/chat.json"
sleep 1
import -window root "$pictures/$name-chat.png"
# The chat that the terminal began is the one below.
xdotool key ctrl+Next
sleep 3
import -window root "$pictures/$name-signs.png"

if grep -i -e 'could not load resource' -e 'panicked' "$pictures/$name.log"; then
    fail "the window did not find what it needs"
fi
# The yellow of the face and the red of the fire: pixels of the picture that are of no colour of the window.
colours=$(convert "$pictures/$name-signs.png" -fx '(r>0.9&&g>0.7&&g<0.95&&b<0.45)?1:0' -format '%[fx:int(mean*w*h)]' info:)
echo "   $colours pixels of an emoji's yellow in $name-signs.png"
[ "$colours" -ge 40 ] || fail "the emoji is not in the picture"

kill "$hearth"
wait "$hearth" 2>/dev/null || true
