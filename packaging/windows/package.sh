#!/bin/sh
# Makes the installer of Windows, signed by WINDOWS_SIGN_COMMAND where that is there.
set -eu

cd "$(dirname "$0")/../.."
[ -n "${WINDOWS_SIGN_COMMAND-}" ] || unset WINDOWS_SIGN_COMMAND
if [ -n "${VULKAN_SDK-}" ]; then
    cargo xtask package
else
    echo "package.sh: there is no SDK of Vulkan, so the backend for graphics cards is left out"
    cargo xtask package --without-gpu
fi
