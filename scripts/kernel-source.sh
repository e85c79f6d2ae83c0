#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-source.sh [--update]: get a kernel tree and print where it is.
#
# It is the newest linux-source that the machine's own package mirror carries
# in any of its suites and that patches/ knows, or of VERSION=x.y.
# A tree that is in the cache already is taken as it is, without the network;
# --update looks for a newer one. apt checks the signature of the archive. The
# configuration of the machine's own apt is read and never changed.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

src=$SEQLZ_CACHE/src
apt=$SEQLZ_CACHE/apt
want=${VERSION:-}
link=$src/${want:-newest}
no_tree="give a tree of your own with KDIR="

# find_mirror: the mirror, its keyring, and the suites to look through, from apt's own list
# shellcheck disable=SC2016 # $(FIELD) is apt's
find_mirror() {
	local os origin

	# shellcheck disable=SC1091
	os=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	origin=$(apt-get indextargets --format '$(ORIGIN)' 2>/dev/null |
		grep -m1 -xE 'Debian|Ubuntu' || true)
	case $origin in
	Debian)
		keyring=/usr/share/keyrings/debian-archive-keyring.gpg
		suites="experimental sid testing stable-backports $os-backports"
		# a long-term kernel is in the suites that do not move
		[[ $want != 6.* ]] || suites="stable $os-backports"
		;;
	Ubuntu)
		keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
		suites="devel devel-proposed $os $os-updates $(newer_ubuntu "$os")"
		;;
	*)
		die "apt has no package lists of Debian or Ubuntu: run apt-get update as root, or $no_tree"
		;;
	esac
	[ -r "$keyring" ] || die "no archive keyring in $keyring: install it, or $no_tree"
	mirror=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(CODENAME)|$(REPO_URI)' |
		awk -F'|' -v o="$origin" '$1 == o && $2 == o && $3 !~ /security/ { print $4; exit }')
	[ -n "$mirror" ] || die "apt has no mirror of $origin's main archive: $no_tree"
}

# newer_ubuntu CODENAME: the series after it, if the machine knows their names
newer_ubuntu() {
	[ ! -r /usr/share/distro-info/ubuntu.csv ] ||
		awk -F, -v os="$1" 'found { print $3, $3 "-updates" } $3 == os { found = 1 }' \
			/usr/share/distro-info/ubuntu.csv | tr '\n' ' '
}

# An apt that keeps everything in the cache and trusts the archive's key only.
private_apt() {
	local tool=$1

	shift
	"$tool" -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$apt/sources" \
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
		-o Dir::Etc::trusted=/dev/null -o Dir::Etc::trustedparts=/dev/null \
		-o Dir::State="$apt/state" -o Dir::State::lists="$apt/lists" \
		-o Dir::State::status="$apt/state/status" \
		-o Dir::Cache="$apt/cache" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o Acquire::Languages=none -o APT::Sandbox::User= \
		-o APT::Get::AllowUnauthenticated=false \
		-o Acquire::AllowInsecureRepositories=false \
		-o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false "$@"
}

# add_source SUITE
add_source() {
	cat >"$apt/sources/$1.sources" <<-END
		Types: deb
		URIs: $mirror
		Suites: $1
		Components: main
		Architectures: $(dpkg --print-architecture)
		Signed-By: $keyring
	END
}

# real_names: what the suites that were fetched call themselves. A mirror can
# be behind with stable-backports and have a newer trixie-backports.
real_names() {
	find "$apt/lists" -name '*Release' -exec sed -n 's/^Codename: //p' {} + |
		sort -u
}

# A suite that this mirror does not have is no error, so every suite is a
# source of its own, and what apt says about them is only kept for the log.
update_lists() {
	local suite pass

	need_disk 3500 "a kernel tree with its package"
	rm -rf "$apt"
	mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial,state}
	: >"$apt/state/status"
	say "looking for linux-source in: $suites"
	for pass in 1 2; do
		[ $pass = 1 ] || suites=$(real_names)
		for suite in $suites; do
			add_source "$suite"
		done
		private_apt apt-get -qq update >"$apt/update.log" 2>&1 || true
		find "$apt/lists" -name '*Packages*' | grep -q . ||
			die "no package list could be fetched, is there a network? See $apt/update.log, or $no_tree"
	done
}

# candidates: "rank version package" of every linux-source that patches/ knows;
# a release candidate (~rc) ranks behind every release of 7.x, and 6.x, which
# is for those who ask for it, behind all of them
candidates() {
	private_apt apt-cache search --names-only '^linux-source-[67]\.[0-9.]+$' |
		while read -r package _; do
			version=${package#linux-source-}
			version=$(echo "$version" | cut -d. -f1,2)
			[ -d "$SEQLZ_ROOT/patches/$version" ] || continue
			[ -z "$want" ] || [ "$version" = "$want" ] || continue
			private_apt apt-cache madison "$package" | awk -F'|' '
				{ gsub(/ /, ""); print ($1 ~ /-6\./ ? 0 : $2 ~ /~rc/ ? 1 : 2), $2, $1 }'
		done
}

# newest: the line of candidates that is to be taken
newest() {
	local best="" rank version package

	while read -r rank version package; do
		if [ -z "$best" ] || [ "$rank" -gt "${best%% *}" ] ||
			{ [ "$rank" = "${best%% *}" ] &&
				dpkg --compare-versions "$version" gt "$(echo "$best" | cut -d' ' -f2)"; }; then
			best="$rank $version $package"
		fi
	done
	echo "$best"
}

# unpack PACKAGE VERSION: into $src/PACKAGE_VERSION, all or nothing
unpack() {
	local tarball

	say "fetching $1 $2 (about 170 MiB)"
	rm -rf "$src/new"
	mkdir -p "$src/new/tree"
	(cd "$src/new" && private_apt apt-get -qq download "$1=$2" >&2) ||
		die "the package $1 $2 could not be fetched and verified"
	say "unpacking $1 $2"
	dpkg-deb --fsys-tarfile "$src"/new/*.deb |
		tar -x -C "$src/new" --wildcards './usr/src/*'
	tarball=$(find "$src/new/usr/src" -name 'linux-source-*.tar.*' | head -1)
	[ -n "$tarball" ] || die "the package $1 $2 has no source archive in it"
	tar -xf "$tarball" -C "$src/new/tree" --strip-components=1
	mv -T "$src/new/tree" "$src/$1_$2"
	rm -rf "$src/new"
}

get() {
	local rank version package

	if [ "$update" = 0 ] && [ -d "$link/" ]; then
		return
	fi
	"$SEQLZ_ROOT/scripts/deps.sh" kernel
	find_mirror
	update_lists
	read -r rank version package <<<"$(candidates | newest)"
	[ -n "${package:-}" ] || die "the mirror has no linux-source ${want:-of $(known)}: $no_tree"
	[ -d "$src/${package}_$version" ] || unpack "$package" "$version"
	ln -sfn "${package}_$version" "$link"
}

known() {
	find "$SEQLZ_ROOT/patches" -mindepth 1 -maxdepth 1 -printf '%f\n' |
		sort -V | paste -sd, | sed 's/,/ or /g'
}

case ${1:-} in
--update) update=1 ;;
"") update=0 ;;
*) die "usage: kernel-source.sh [--update]" ;;
esac
[ -z "$want" ] || [ -d "$SEQLZ_ROOT/patches/$want" ] ||
	die "VERSION=$want is unknown: there are patches for $(known)"
need_disk 1 "the cache"
mkdir -p "$src"
with_lock source get
readlink -f "$link"
