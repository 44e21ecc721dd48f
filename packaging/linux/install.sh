#!/bin/sh
# Installs Hearth for the person who runs this: no root, nothing outside PREFIX (~/.local unless it is named).
#   ./install.sh [--prefix FOLDER]
# PREFIX/opt/hearth holds everything; PREFIX/bin and PREFIX/share get links and what a desktop reads. uninstall.sh in
# PREFIX/opt/hearth takes all of that away again, and leaves chats, settings and models.
set -eu

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

prefix=${HOME-}/.local
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix)
            [ $# -ge 2 ] || fail "--prefix needs a folder"
            prefix=$2
            shift 2
            ;;
        *) fail "$1 is not known; there is --prefix FOLDER" ;;
    esac
done
case "$prefix" in
    /.local) fail "HOME is not set; name a folder by --prefix" ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/bin/hearth" ] || fail "bin/hearth is not beside this script; unpack the whole archive first"
[ "$(uname -m)" = "$(cat "$here/machine")" ] ||
    fail "this Hearth is for $(cat "$here/machine"), and this computer is $(uname -m)"
opt=$prefix/opt/hearth
[ "$here" != "$opt" ] || fail "it is installed here already"

# What an earlier version installed goes first, so that nothing of it is left.
if [ -e "$opt/uninstall.sh" ]; then
    "$opt/uninstall.sh" --quiet
elif [ -e "$opt" ]; then
    fail "$opt is there and is no Hearth; nothing was changed"
fi

mkdir -p "$opt"
cp -R "$here/bin" "$here/lib" "$here/share" "$here/machine" "$opt"
cp "$here/uninstall.sh" "$opt/uninstall.sh"
: >"$opt/installed"

# Puts a link or a file below the prefix and notes it: place KIND FILE NAME
place() {
    target=$prefix/$3
    mkdir -p "$(dirname "$target")"
    if [ -e "$target" ] && [ ! -L "$target" ] && [ "$1" = link ]; then
        fail "$target is there and belongs to something else; remove it, then run this again"
    fi
    if [ "$1" = link ]; then ln -sf "$2" "$target"; else cp "$2" "$target"; fi
    echo "$3" >>"$opt/installed"
}

for program in hearth hearth-cli; do
    place link "$opt/bin/$program" "bin/$program"
done
(cd "$opt/share" && find . -type f) | sed 's|^\./||' | while read -r file; do
    case "$file" in
        doc/*) ;;
        applications/hearth.desktop)
            # The desktop may not search the prefix for programs.
            sed "s|^Exec=hearth|Exec=\"$opt/bin/hearth\"|" "$opt/share/$file" >"$opt/hearth.desktop"
            place copy "$opt/hearth.desktop" "share/$file"
            ;;
        *) place copy "$opt/share/$file" "share/$file" ;;
    esac
done

# Where these are missing, the desktop looks by itself at the next sign-in.
refresh() {
    if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi
}
refresh update-desktop-database "$prefix/share/applications"
refresh update-mime-database "$prefix/share/mime"
refresh gtk-update-icon-cache -q -t -f "$prefix/share/icons/hicolor"

# Words of a linker that lacks a library, which no installer could bring without root.
missing=$(ldd "$opt/bin/hearth" 2>/dev/null | sed -n 's/ => not found//p' | sort -u | tr -d '\t' | tr '\n' ' ')
[ -z "$missing" ] || echo "These libraries are missing, and the window needs them: $missing"

echo "Hearth is installed in $opt."
case ":${PATH-}:" in
    *":$prefix/bin:"*) echo "Start it from the menu, or by: hearth" ;;
    *) echo "Start it from the menu, or by: $prefix/bin/hearth ($prefix/bin is not on the search path)" ;;
esac
echo "To remove it: $opt/uninstall.sh"
