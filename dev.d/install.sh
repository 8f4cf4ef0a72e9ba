# Installation of what ./dev needs: Debian packages, another release of Debian, and tools under .dev/.

missing=()

# Adds the package to $missing when the check fails. Without a check, the package has a program of the same name.
require_package() { # require_package PACKAGE PURPOSE [CHECK…]
  local package=$1 purpose=$2
  shift 2
  if (($# == 0)); then set -- command -v "$package"; fi
  "$@" >/dev/null 2>&1 || { say "missing: $package ($purpose)"; missing+=("$package"); }
}

require_venv() { require_package python3-venv "Python tools" python3 -c 'import ensurepip, venv'; }

require_node() {
  local version
  version=$(node --version 2>/dev/null) ||
    die "Node is not installed. Install 20.19 or newer from https://nodejs.org, then run this command again."
  [[ $(printf '%s\n' v20.19 "$version" | sort -V | head -n1) == v20.19 ]] ||
    die "Node $version is too old. The pages and the TypeScript client need 20.19 or newer."
}

install_missing() { # the packages of the servers, and those of $missing
  command -v cargo >/dev/null || die "cargo is not installed. Install Rust from https://rustup.rs, then run this command again."
  if [[ -z $root ]]; then
    require_package rabbitmq-server "message queue" test -x "$RABBITMQ"
    require_package redis-server "cache"
    require_package postgresql "database" compgen -G '/usr/lib/postgresql/*/bin/postgres'
  fi
  require_package curl "health checks"
  require_package gcc "linker" command -v cc
  require_package libc6-dev "linker" test -e /usr/include/stdio.h
  install_required
  if [[ -n $root ]]; then install_release; fi
}

install_required() { # installs the packages of $missing
  local sudo=() packages=${missing[*]}
  if [[ -z $packages ]]; then return; fi
  command -v apt-get >/dev/null || die "This system has no apt-get. Install the equivalents of: $packages"
  say "installing $packages (no system service is started)"
  if ((EUID)); then sudo=(sudo); fi
  "${sudo[@]}" bash -c "$(declare -f install_packages); install_packages $packages" ||
    die "The installation needs root. Ask an administrator to run" "  apt-get install --no-install-recommends $packages" \
      "and run this command again."
  missing=()
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

free_disk_gb() { df --output=avail -B1G . | tail -n1 | tr -d ' '; }

# With a full disk, builds fail with strange messages, RabbitMQ accepts nothing, and Postgres stops.
require_disk() { # require_disk GIGABYTES
  (($(free_disk_gb) >= $1)) || die "This command needs $1 GB of free disk space here. $(free_disk_gb) GB are free."
}

install_cargo_tool() { # install_cargo_tool NAME VERSION
  PATH=$PWD/.dev/cargo-tools/bin:$PATH
  if [[ $(".dev/cargo-tools/bin/$1" --version 2>/dev/null) == *"$2" ]]; then return; fi
  say "installing $1 $2 into .dev/cargo-tools (this takes some minutes)"
  cargo install --quiet --root .dev/cargo-tools --locked "$1" --version "$2"
}

install_python_tool() { # install_python_tool NAME VERSION: into .dev/NAME, after require_venv
  if [[ $(".dev/$1/bin/$1" --version 2>/dev/null) == *"$2"* ]]; then return; fi
  say "installing $1 $2 into .dev/$1"
  python3 -m venv --clear ".dev/$1"
  ".dev/$1/bin/pip" install --quiet --disable-pip-version-check "$1==$2"
}

# The folder of all stacks, the folder of the release of Debian that --servers names, and the command that runs its programs.
# Without --servers, the last two are empty.
stacks=$PWD/.dev root="" in_release=()

use_release() { # use_release RELEASE: empty for the servers of this system
  export SERVERS_RELEASE=$1 # a drill runs ./dev again
  [[ -n $1 ]] || return 0
  [[ $1 == trixie ]] || die "--servers trixie is Debian 13. Without this option, the servers are those of this system."
  ((EUID == 0)) || die "--servers needs root: the servers run in a folder of their own (chroot)."
  stacks=$PWD/.dev/$1 root=$PWD/.dev/$1/root
  in_release=(unshare --mount "$PWD/dev.d/enter-root" "$root")
  PATH=$stacks/bin:$PATH
}

install_release() { # and a script for each of its programs that tests and drills run
  local program
  mkdir -p "$stacks/bin"
  if [[ ! -d $root ]]; then install_debian "$SERVERS_RELEASE" "$root" postgresql,rabbitmq-server,redis-server; fi
  for program in psql pg_dump pg_restore redis-server redis-cli; do
    printf '#!/bin/sh\nexec %s %s "$@"\n' "${in_release[*]@Q}" "$program" >"$stacks/bin/$program"
    chmod +x "$stacks/bin/$program"
  done
}

install_debian() { # install_debian RELEASE FOLDER [PACKAGE,PACKAGE…]: a minimal system in a folder
  require_package debootstrap "installs Debian into a folder"
  install_required
  say "installing Debian $1 into $2 (this takes some minutes)"
  rm -rf "$2.new"
  debootstrap --variant=minbase ${3:+"--include=$3"} "$1" "$2.new" >"$2.log" 2>&1 ||
    die "$(tail -n 5 "$2.log")" "debootstrap failed: $2.log"
  rm -f "$2.new"/var/cache/apt/archives/*.deb
  mv "$2.new" "$2"
}
