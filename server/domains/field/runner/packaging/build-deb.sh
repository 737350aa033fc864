#!/bin/sh
# Builds the Debian package from a compiled program: build-deb.sh PROGRAM OUTPUT_FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
program=$1 output=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"
install -D -m 0755 "$program" "$root/usr/bin/jarvis-runner"
install -D -m 0644 "$here/config.toml" "$root/etc/jarvis-runner/config.toml"
for unit in jarvis-runner jarvis-launcher; do
  install -D -m 0644 "$here/$unit.service" "$root/usr/lib/systemd/system/$unit.service"
done
install -d -m 0755 "$root/DEBIAN"
install -m 0644 "$here/debian/control" "$here/debian/conffiles" "$root/DEBIAN"
install -m 0755 "$here/debian/postinst" "$here/debian/prerm" "$here/debian/postrm" "$root/DEBIAN"
sed -i "s/^Architecture: .*/Architecture: $(dpkg --print-architecture)/" "$root/DEBIAN/control"
mkdir -p "$output"
dpkg-deb --root-owner-group --build "$root" "$output"
