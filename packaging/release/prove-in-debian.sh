#!/bin/sh
# Tests the packages that are there in a container of Debian, on a system that is none.
set -eu

cd "$(dirname "$0")/../.."
deb=$(echo target/package/packages/hearth_*.deb)
tarball=$(echo target/package/packages/hearth-*.tar.xz)
docker run --rm --privileged --volume "$PWD:/hearth" --workdir /hearth debian:12 sh -e -c '
    apt-get -q update
    apt-get -q -y install --no-install-recommends debootstrap lintian xvfb xdotool imagemagick util-linux
    suite=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
    mirror=$(apt-get indextargets --format "\$(SITE) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" |
        sed -n "s/ $suite main\$//p" | head -1)
    unshare --mount --pid --fork --kill-child packaging/proof/prove.sh "$0" "$1" target/package/proof "$mirror" "$suite"
' "$deb" "$tarball"
