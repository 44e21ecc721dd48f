#!/bin/sh
# Puts the certificate that bundles are signed with into a keychain of this run.
#   APPLE_CERTIFICATE, in base64, and APPLE_CERTIFICATE_PASSWORD
set -eu

[ -n "${APPLE_CERTIFICATE-}" ] || {
    echo "keychain.sh: there is no certificate to sign with"
    exit 0
}

keychain=${RUNNER_TEMP:-/tmp}/hearth.keychain-db
certificate=${RUNNER_TEMP:-/tmp}/hearth.p12
password=$(uuidgen)
trap 'rm -f "$certificate"' EXIT
printf %s "$APPLE_CERTIFICATE" | base64 --decode >"$certificate"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$certificate" -P "$APPLE_CERTIFICATE_PASSWORD" -A -t cert -f pkcs12 -k "$keychain"
security set-key-partition-list -S apple-tool:,apple: -k "$password" "$keychain" >/dev/null
# The keychains that are searched, with this one in front; their names hold no spaces on the runners.
# shellcheck disable=SC2046
security list-keychains -d user -s "$keychain" $(security list-keychains -d user | tr -d '"')
