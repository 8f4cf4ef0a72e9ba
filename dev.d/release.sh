# shellcheck shell=bash
# ./dev --servers RELEASE: Postgres, RabbitMQ and Redis of another Debian release, in a folder of its own. The services and
# all tools stay those of this system.

# The folder of all stacks, the folder of the release, and the command that runs its programs. Without a release, the last two
# are empty.
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
  if [[ ! -d $root ]]; then
    mkdir -p "$stacks"
    install_debian "$SERVERS_RELEASE" "$root" postgresql,rabbitmq-server,redis-server
  fi
  mkdir -p "$stacks/bin"
  for program in psql pg_dump pg_restore redis-server; do
    printf '#!/bin/sh\nexec %s %s "$@"\n' "${in_release[*]@Q}" "$program" >"$stacks/bin/$program"
    chmod +x "$stacks/bin/$program"
  done
}
