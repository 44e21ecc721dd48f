#!/bin/sh
# Makes the bundle and the disk image, signed and notarised where the secrets are there.
set -eu

cd "$(dirname "$0")/../.."
# What is empty is not there.
for name in APPLE_SIGNING_IDENTITY APPLE_ID APPLE_PASSWORD APPLE_TEAM_ID; do
    eval "value=\${$name-}"
    [ -n "$value" ] || unset "$name"
done
./x package
[ -n "${APPLE_SIGNING_IDENTITY-}" ] || {
    echo "package.sh: there is no identity to sign with; macOS asks before it opens the bundle"
    exit 0
}
for image in target/package/packages/*.dmg; do
    codesign --verify --deep --strict "${image%.dmg}.app" 2>/dev/null || codesign --sign "$APPLE_SIGNING_IDENTITY" "$image"
    spctl --assess --type open --context context:primary-signature "$image" ||
        echo "package.sh: $image is signed and not notarised"
done
