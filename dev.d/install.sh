# shellcheck shell=bash
# Installation of the Debian packages that ./dev needs.

missing=()

require_package() { # require_package PACKAGE PURPOSE CHECK…: adds the package to $missing when the check fails
  local package=$1 purpose=$2
  shift 2
  "$@" >/dev/null 2>&1 || { say "missing: $package ($purpose)"; missing+=("$package"); }
}

install_required() { # installs the packages of $missing
  if ((${#missing[@]})); then install_as_root "${missing[@]}"; fi
  missing=()
}

install_missing() { # install_missing [PACKAGE PURPOSE CHECK…]: the packages of the servers, and one more
  command -v cargo >/dev/null || die "cargo is not installed. Install Rust from https://rustup.rs, then run this command again."
  if [[ -z $root ]]; then
    require_package rabbitmq-server "message queue" test -x "$RABBITMQ"
    require_package redis-server "cache" command -v redis-server
    require_package postgresql "database" compgen -G '/usr/lib/postgresql/*/bin/postgres'
  fi
  require_package curl "health checks" command -v curl
  require_package gcc "linker" command -v cc
  require_package libc6-dev "linker" test -e /usr/include/stdio.h
  if (($#)); then require_package "$@"; fi
  install_required
  if [[ -n $root ]]; then install_release; fi
}

free_disk_gb() { df --output=avail -B1G . | tail -n1 | tr -d ' '; }

# With a full disk, builds fail with strange messages, RabbitMQ accepts nothing, and Postgres stops.
require_disk() { # require_disk GIGABYTES
  (($(free_disk_gb) >= $1)) || die "This command needs $1 GB of free disk space here. $(free_disk_gb) GB are free."
}

install_as_root() { # install_as_root PACKAGE…
  command -v apt-get >/dev/null || die "This system has no apt-get. Install the equivalents of: $*"
  say "installing $* (no system service is started)"
  if ((EUID == 0)); then
    (install_packages "$@")
  else
    { command -v sudo && sudo bash -c "$(declare -f install_packages); install_packages $*"; } ||
      die "The installation needs root. Ask an administrator to run" "  apt-get install --no-install-recommends $*" "and run this command again."
  fi
}

# Runs as root, in a separate shell. Debian starts the service of a package that it installs, which would occupy the
# standard ports of this machine. policy-rc.d prevents that. A policy-rc.d of the administrator is not changed.
install_packages() {
  set -euo pipefail
  local unit new_units=() now=()
  for unit in rabbitmq-server.service redis-server.service postgresql.service epmd.service epmd.socket \
    nginx.service caddy.service haproxy.service postfix.service; do
    [[ -e /lib/systemd/system/$unit ]] || new_units+=("$unit")
  done
  if [[ -d /run/systemd/system ]]; then now=(--now); fi
  if [[ ! -e /usr/sbin/policy-rc.d ]]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    install -m 755 /dev/stdin /usr/sbin/policy-rc.d <<<$'#!/bin/sh\nexit 101'
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq || echo "the package lists could not be updated; continuing with the present ones" >&2
  # A new machine may be running its first upgrades: wait for the lock.
  apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
  for unit in "${new_units[@]}"; do # only units that these packages have added
    [[ ! -e /lib/systemd/system/$unit ]] || ! command -v systemctl >/dev/null || systemctl disable --quiet "${now[@]}" "$unit"
  done
}

install_debian() { # install_debian RELEASE FOLDER [PACKAGE,PACKAGE…]: a minimal system in a folder
  require_package debootstrap "installs Debian into a folder" command -v debootstrap
  install_required
  say "installing Debian $1 into $2 (this takes some minutes)"
  rm -rf "$2.new"
  debootstrap --variant=minbase ${3:+"--include=$3"} "$1" "$2.new" >"$2.log" 2>&1 || die "$(tail -n 5 "$2.log")" "debootstrap failed: $2.log"
  rm -f "$2.new"/var/cache/apt/archives/*.deb
  mv "$2.new" "$2"
}

install_cargo_tool() { # install_cargo_tool NAME VERSION: into .dev/cargo-tools
  local installed=.dev/cargo-tools/bin/$1
  PATH=$PWD/.dev/cargo-tools/bin:$PATH
  if [[ ! -x $installed || $("$installed" --version 2>/dev/null) != *"$2" ]]; then
    say "installing $1 $2 into .dev/cargo-tools (this takes some minutes)"
    cargo install --quiet --root .dev/cargo-tools --locked "$1" --version "$2"
  fi
}

require_node() {
  local version
  version=$(node --version 2>/dev/null) || die "Node is not installed. Install 20.19 or newer from https://nodejs.org, then run this command again."
  [[ $(printf '%s\n' v20.19 "$version" | sort -V | head -n1) == v20.19 ]] || die "Node $version is too old. The TypeScript client needs 20.19 or newer."
}
