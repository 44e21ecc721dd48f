#!/bin/sh
# Takes away what install.sh brought, and nothing else. Chats, settings and models stay.
set -eu

opt=$(cd "$(dirname "$0")" && pwd)
prefix=${opt%/opt/hearth}
if [ "$prefix" = "$opt" ] || [ ! -f "$opt/installed" ]; then
    echo "uninstall.sh: run the one that was installed, in opt/hearth" >&2
    exit 1
fi
while read -r file; do
    rm -f "$prefix/$file"
    # Folders that this leaves empty.
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do
        rmdir "$prefix/$folder" 2>/dev/null || break
        folder=$(dirname "$folder")
    done
done <"$opt/installed"
# What desktops made of these files is made anew where there are others, and goes where there are none.
refresh() {
    if command -v "$1" >/dev/null 2>&1; then "$@" >/dev/null 2>&1 || true; fi
}
if [ -d "$prefix/share/mime/packages" ]; then
    refresh update-mime-database "$prefix/share/mime"
else
    rm -rf "$prefix/share/mime"
fi
# drop_or FILE COMMAND...: removes a list that stands alone in its folder, else makes it anew.
drop_or() {
    list=$1
    shift
    [ -e "$list" ] || return 0
    if [ "$(ls "$(dirname "$list")")" = "$(basename "$list")" ]; then rm -f "$list"; else refresh "$@"; fi
}
drop_or "$prefix/share/applications/mimeinfo.cache" update-desktop-database "$prefix/share/applications"
drop_or "$prefix/share/icons/hicolor/icon-theme.cache" gtk-update-icon-cache -q -t -f "$prefix/share/icons/hicolor"
for folder in share/applications share/icons/hicolor share/icons share bin; do
    rmdir "$prefix/$folder" 2>/dev/null || true
done
rm -rf "$opt"
rmdir "$prefix/opt" 2>/dev/null || true
[ "${1-}" = --quiet ] && exit 0
echo "Hearth is removed. Chats, settings and models stay in ${XDG_DATA_HOME:-$HOME/.local/share}/hearth;"
echo "who wants them gone deletes that folder. Models in ~/.cache/huggingface are other programs' too."
