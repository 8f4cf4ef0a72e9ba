# shellcheck shell=bash
# ./dev drill: the stack `drill`, optionally as a cluster, with a small disk for RabbitMQ and a library for wrong clocks.

build_drill() { # build_drill PROFILE ARGUMENT…
  build_site "$1" guildhall-drills
  if [[ " $* " == *" --help "* ]]; then exec "$target/$1/guildhall-drills" "${@:2}"; fi
  if [[ ${2:-} == upgrade ]]; then build_old_release "$1"; fi
}

# The release that ./dev drill upgrade begins with: its last commit.
OLD_RELEASE=0.3.0
OLD_RELEASE_COMMIT=bf323cefe0b136ee5805261d8b8605ecb05885ef

build_old_release() { # build_old_release PROFILE: once, in a folder of its own
  local folder=$target/release-$OLD_RELEASE
  if [[ ! -f $folder/source/Cargo.toml ]]; then
    git cat-file -e "$OLD_RELEASE_COMMIT^{commit}" 2>/dev/null || die "The commit of version $OLD_RELEASE is missing. Run: git fetch --unshallow"
    git worktree prune
    git worktree add --quiet --detach "$folder/source" "$OLD_RELEASE_COMMIT"
  fi
  say "cargo build of version $OLD_RELEASE (the first build takes some minutes)"
  (cd "$folder/source" && CARGO_TARGET_DIR=../target cargo build --locked --profile "${1/debug/dev}" \
    -p guildhall-api -p guildhall-workers -p guildhall-sandbox)
}

# One process of each kind. With --cluster: three nodes of RabbitMQ, two apis behind HAProxy, and two workers. For `rotate` and
# `upgrade`: two apis and two workers. An upgrade begins with the services of the old release.
run_drill() { # run_drill PROFILE ARGUMENT…
  local upgrade=""
  export DRILL_PROFILE=$1 DRILL_NEW_PROFILE=$1
  shift
  lock_stack drill
  if [[ " $* " == *" --cluster "* ]]; then cluster=yes; fi
  case ${1:-} in
    rotate) pairs=yes ;;
    mails) mails=yes && install_postfix ;;
    upgrade) upgrade=yes pairs=yes DRILL_PROFILE=release-$OLD_RELEASE/target/$DRILL_PROFILE ;;
  esac
  if [[ -n $pairs ]]; then export GUILDHALL_CHARACTERS_PER_ACCOUNT=100000; fi
  install_missing faketime "gives a process a wrong clock" faketime_library
  if [[ -n $cluster ]]; then install_missing haproxy "proxy in front of the apis" command -v haproxy; fi
  clear_drill
  install -d -m 700 "$dir"
  trap stop_drill EXIT
  trap 'exit 130' INT TERM HUP
  mount_small_disk
  start_servers
  if [[ -n $mails ]]; then start_mail_server; fi
  # A drill sends most requests from one address, and more than people do.
  export GUILDHALL_REQUESTS_PER_MINUTE=1000000 GUILDHALL_LOG_INS_PER_MINUTE=1000000 GUILDHALL_REGISTRATIONS_PER_HOUR=1000000
  start_site "$DRILL_PROFILE" ${upgrade:+"?secret=$GUILDHALL_PIX_WEBHOOK_SECRET"}
  export DRILL_STACK=$dir DRILL_CREDENTIALS DRILL_FAKETIME DRILL_API=$GUILDHALL_API_LISTEN
  export DRILL_PROCESSES="api workers rabbitmq postgres redis sandbox"
  if [[ -n $mails ]]; then DRILL_PROCESSES+=" postfix"; fi
  DRILL_CREDENTIALS=$(<"$dir/credentials")
  DRILL_FAKETIME=$(faketime_library)
  if [[ -n $cluster ]]; then
    DRILL_PROCESSES+=" api2 workers2 rabbitmq2 rabbitmq3"
    DRILL_API=127.0.0.1:$DEV_HAPROXY_PORT
    export GUILDHALL_TRUSTED_PROXIES=127.0.0.1/32 GUILDHALL_DRAIN_SECONDS=3
    start_haproxy
  fi
  if [[ -n $pairs ]]; then
    DRILL_PROCESSES+=" api2 workers2"
    export DRILL_OTHER_API=127.0.0.1:$DEV_API2_PORT
    DRILL_NEW_SECRET=$(random_base64 48)
    export DRILL_NEW_SECRET
  fi
  "$target/$DRILL_NEW_PROFILE/guildhall-drills" "$@"
}

stop_drill() {
  stop_stack
  if mountpoint -q "$dir/rabbitmq"; then umount "$dir/rabbitmq"; fi
  if [[ -n ${DRILL_POSTFIX:-} ]]; then rm -rf "$DRILL_POSTFIX"; fi
}

clear_drill() { # removes what an earlier run has left, a killed one included
  stop_drill
  rm -rf "$dir"
  unset "${!DEV_@}" # they contain ports of nodes that this run may not have
}

faketime_library() { compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' | head -n1 | grep .; }

# A disk for RabbitMQ alone, which a fault can fill. Only root can mount one. Without it that fault is skipped.
mount_small_disk() {
  mkdir "$dir/rabbitmq"
  if ((EUID == 0)) && mount -t tmpfs -o size=384m,mode=700 guildhall-drill "$dir/rabbitmq" 2>/dev/null; then
    export DRILL_SMALL_DISK=$dir/rabbitmq
  else
    say "cannot mount a disk for RabbitMQ: the fault \"full disk\" is skipped"
  fi
}

start_mail_server() {
  configure_postfix
  start_postfix
  wait_until_ready postfix is_port_open "$DEV_POSTFIX_PORT"
  export SSL_CERT_FILE=$DRILL_POSTFIX/tls/authority.pem GUILDHALL_MAILS_PER_MINUTE=1000000
}

# ---- The cluster ------------------------------------------------------------------------------

choose_pair_ports() { # choose_pair_ports API
  choose_port API2 $(($1 + 3)) api2
  choose_port WORKERS2 $(($1 + 4)) workers2
}

choose_cluster_ports() { # choose_cluster_ports BASE API
  choose_pair_ports "$2"
  choose_port RABBITMQ2 $(($1 + 674)) rabbitmq2
  choose_port RABBITMQ2_DIST $(($1 + 675)) rabbitmq2
  choose_port RABBITMQ3 $(($1 + 676)) rabbitmq3
  choose_port RABBITMQ3_DIST $(($1 + 677)) rabbitmq3
  choose_port HAPROXY $(($2 + 5)) haproxy
}

start_other_rabbitmq_nodes() {
  local number port
  for number in 2 3; do
    start_rabbitmq "$number"
    port=DEV_RABBITMQ${number}_PORT
    wait_until_ready "rabbitmq$number" is_amqp_ready "${!port}"
  done
}

# A node without data joins the first node. The first node, when a drill has deleted its data, joins the second.
print_cluster_formation() { # print_cluster_formation NUMBER|"": lines for rabbitmq.conf
  local other=
  if [[ -n $1 ]]; then
    other=guildhall-$stack@localhost
  elif is_running rabbitmq2; then
    other=guildhall-${stack}2@localhost
  fi
  [[ -n $other ]] || return 0
  cat <<TEXT
cluster_formation.peer_discovery_backend = classic_config
cluster_formation.classic_config.nodes.1 = $other
cluster_formation.classic_config.nodes.2 = guildhall-$stack$1@localhost
TEXT
}

start_haproxy() {
  # A drill needs no other user and no log of requests.
  sed '/^global$/,/^$/d' deploy/haproxy.cfg >"$dir/haproxy.cfg"
  GUILDHALL_HAPROXY_LISTEN=127.0.0.1:$DEV_HAPROXY_PORT GUILDHALL_API_1=$GUILDHALL_API_LISTEN GUILDHALL_API_2=127.0.0.1:$DEV_API2_PORT \
    start_process haproxy haproxy -db -f "$dir/haproxy.cfg"
  wait_until_ready haproxy is_port_open "$DEV_HAPROXY_PORT"
}

# ---- One part ---------------------------------------------------------------------------------

# Starts a process that a drill has stopped. With migrate: migrates the database, with further options. With rabbitmqctl or rabbitmq-queues: runs that program for its broker.
start_part() { # start_part NAME [SETTING=VALUE…]
  local name=${1:-} port
  stack=${PART_STACK:-drill} dir=$stacks/${PART_STACK:-drill}
  [[ -n $name && -f $dir/env ]] || die "./dev part NAME [SETTING=VALUE…], while ./dev drill or ./dev web test runs"
  load_env
  case $name in
    rabbitmqctl | rabbitmq-queues) run_rabbitmq_tool "$@"; return ;;
    migrate) "$target/$DRILL_NEW_PROFILE/guildhall-workers" "$@"; return ;;
    api2) export GUILDHALL_API_LISTEN=127.0.0.1:$DEV_API2_PORT ;;
    workers2) export GUILDHALL_WORKERS_LISTEN=127.0.0.1:$DEV_WORKERS2_PORT ;;
    workers3) export GUILDHALL_WORKERS_LISTEN=127.0.0.1:$DEV_WORKERS3_PORT ;;
  esac
  if (($# > 1)); then export "${@:2}"; fi
  case $name in
    api* | workers*) start_app "$name" "$DRILL_PROFILE" serve ;;
    sandbox) start_app sandbox "$DRILL_PROFILE" ;;
    postgres)
      # Without an init process that reaps zombies, the pid of the old server still seems to run.
      is_running postgres || rm -f "$dir/postgres/postmaster.pid"
      start_postgres
      ;;
    rabbitmq*) start_rabbitmq "${name#rabbitmq}" ;;
    *) "start_$name" ;;
  esac
  port=DEV_${name^^}_PORT
  case $name in
    api*) wait_until_ready "$name" responds "$GUILDHALL_API_LISTEN" /healthz ;;
    workers*) wait_until_ready "$name" responds "$GUILDHALL_WORKERS_LISTEN" /healthz ;;
    postgres) wait_until_ready postgres is_postgres_ready ;;
    rabbitmq*) wait_until_ready "$name" is_amqp_ready "${!port}" ;;
    *) wait_until_ready "$name" is_port_open "${!port}" ;;
  esac
}
