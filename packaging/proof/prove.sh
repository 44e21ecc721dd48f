#!/bin/sh
# Meets the packages as a person does. Run as root in mounts and processes of its own (`./x package --test` does so):
#   prove.sh DEB TARBALL WORK MIRROR SUITE
# In a fresh Debian of MIRROR and SUITE, which holds no compiler and reaches no network: the .deb with what it depends on
# and nothing else, then the tarball as a person without root.
set -eu

deb=$1 tarball=$2 work=$3 mirror=$4 suite=$5
here=$(cd "$(dirname "$0")" && pwd)
root=$work/root
pictures=$work/pictures
model=SmolLM2-135M-Instruct-Q4_1
search=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin

step() {
    echo "-- $*"
}

fail() {
    echo "prove.sh: $*" >&2
    exit 1
}

# Runs a command in the root, with the network: in_root COMMAND...
in_root() {
    chroot "$root" env -i PATH="$search" HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# The same without any network, as the person ada: as_ada COMMAND...
as_ada() {
    unshare --net chroot --userspec=ada:ada "$root" env -i PATH="/home/ada/.local/bin:$search" HOME=/home/ada USER=ada \
        LANG=C.UTF-8 DISPLAY=:97 LP_PERF=no_rast_linear XDG_RUNTIME_DIR=/run/ada "$@"
}

# What a model answers, in words: ask PROMPT
ask() {
    answer=$(as_ada hearth-cli run --temp 0 --max-tokens 24 "$model" "$1") || fail "hearth-cli run ended with a failure"
    [ -n "$answer" ] || fail "the model answered nothing"
    echo "   $answer"
}

# Files below some folders that are no part of a package system's own notes.
files() {
    (cd "$root" && find etc usr opt var/lib home/ada -type f -o -type l 2>/dev/null) |
        grep -v -e '^var/lib/dpkg/' -e '^var/lib/apt/' -e '\.cache$' -e '^etc/ld.so.cache' | sort
}

[ "$(id -u)" = 0 ] || fail "a fresh Debian is made by root alone"
for tool in debootstrap chroot unshare lintian Xvfb xdotool import convert; do
    command -v "$tool" >/dev/null || fail "$tool is missing; ./x package --test installs it"
done
mkdir -p "$work" "$pictures"

step "lintian"
lintian --allow-root --fail-on error "$deb"

step "a fresh Debian ($suite)"
if [ ! -f "$work/$suite.tar" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
        fail "debootstrap failed; $work/debootstrap.log says why"
    tar -C "$root" -cf "$work/$suite.part" --one-file-system .
    mv "$work/$suite.part" "$work/$suite.tar"
fi
rm -rf "$root"
mkdir -p "$root"
tar -C "$root" -xf "$work/$suite.tar"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/run"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
if [ -d /etc/apt/apt.conf.d ]; then
    # How this machine reaches the packages, such as a proxy.
    grep -hi proxy /etc/apt/apt.conf.d/* /etc/apt/apt.conf 2>/dev/null >"$root/etc/apt/apt.conf.d/90proxy" || true
fi
in_root useradd --create-home --shell /bin/sh ada
install -d -o 1000 -g 1000 -m 700 "$root/run/ada"
for compiler in cc gcc clang cargo rustc; do
    ! in_root sh -c "command -v $compiler" >/dev/null || fail "$compiler is there"
done
# The virtual screen is outside, so that nothing of it can stand in for a dependency.
mkdir -p "$root/tmp/.X11-unix" /tmp/.X11-unix
chmod 1777 "$root/tmp" "$root/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"

step "apt downloads what the package depends on"
cp "$deb" "$root/opt/hearth.deb"
in_root apt-get -q update >"$work/apt.log"
in_root apt-get -q -y --no-install-recommends --download-only install /opt/hearth.deb >>"$work/apt.log"
files >"$work/before"

step "apt installs it without a network"
unshare --net chroot "$root" env -i PATH="$search" DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends --no-download install /opt/hearth.deb >>"$work/apt.log" 2>&1 ||
    fail "apt-get install failed; $work/apt.log says why"
# dpkg's own variables.
# shellcheck disable=SC2016
in_root dpkg-query --show --showformat='   ${Package} ${Version}, ${Installed-Size} kB installed\n' hearth
echo "   $(in_root dpkg-query --list | grep -c '^ii') packages in all"

step "hearth-cli answers"
as_ada hearth-cli devices | sed 's/^/   /'
as_ada hearth-cli devices | grep -q 'code for' || fail "the program does not name the code it took for the processor"
ask "What is the capital of France? Answer with one word."

step "the window chats"
DISPLAY=:97 "$here/window.sh" "$root" "$pictures" deb /usr/bin

step "it answers with the code for any x86-64 alone"
mkdir "$root/opt/newer"
for library in "$root"/usr/lib/hearth/backends/libggml-cpu-*.so; do
    case "$library" in
        *-x64.so) ;;
        *) mv "$library" "$root/opt/newer/" ;;
    esac
done
as_ada hearth-cli devices | grep -q 'code for x64' || fail "it took other code"
ask "What is the capital of Italy? Answer with one word."
mv "$root"/opt/newer/* "$root/usr/lib/hearth/backends/"
rmdir "$root/opt/newer"

step "a removal leaves the person's data and nothing else"
in_root dpkg-query --listfiles hearth >"$work/listed"
in_root apt-get -q -y remove hearth >"$work/remove.log" 2>&1 || fail "apt-get remove failed"
grep -q 'share/hearth' "$work/remove.log" || fail "the removal does not say where the data is"
while read -r file; do
    [ -d "$root$file" ] || [ ! -e "$root$file" ] || fail "$file is still there"
done <"$work/listed"
[ ! -d "$root/usr/lib/hearth" ] || fail "/usr/lib/hearth is still there"
in_root apt-get -q -y purge hearth >>"$work/remove.log" 2>&1 || fail "apt-get purge failed"
! in_root dpkg-query --show hearth >/dev/null 2>&1 || fail "dpkg still knows it"
[ -s "$root/home/ada/.local/share/hearth/hearth.db" ] || fail "the chats are gone"
files >"$work/after"
# What other packages brought stays; of what bears the name, only the person's.
left=$(comm -13 "$work/before" "$work/after" | { grep -i hearth || true; } | { grep -v '^home/ada/' || true; })
[ -z "$left" ] || fail "these are left: $left"

step "the tarball, as a person without root"
rm -rf "$root/home/ada" && install -d -o 1000 -g 1000 "$root/home/ada"
install -o 1000 -g 1000 "$tarball" "$root/home/ada/hearth.tar.xz"
in_root apt-get -q -y --no-install-recommends install xz-utils >>"$work/apt.log"
as_ada sh -e -c 'cd && mkdir unpacked && tar -C unpacked -xf hearth.tar.xz && unpacked/*/install.sh && rm -rf unpacked' |
    sed 's/^/   /'
ask "What is the capital of Spain? Answer with one word."
DISPLAY=:97 "$here/window.sh" "$root" "$pictures" archive /home/ada/.local/bin
as_ada /home/ada/.local/opt/hearth/uninstall.sh | sed 's/^/   /'
left=$(find "$root/home/ada" -type f -o -type l |
    { grep -v -e '/hearth.tar.xz$' -e '/.local/share/hearth/' -e '/.cache/' -e '/.config/' || true; })
[ -z "$left" ] || fail "uninstall.sh left: $left"
[ -s "$root/home/ada/.local/share/hearth/hearth.db" ] || fail "the chats are gone"

umount "$root/tmp/.X11-unix" "$root/run" "$root/proc"
rm -rf "$root"
step "All of it holds. Pictures of the window: $pictures"
