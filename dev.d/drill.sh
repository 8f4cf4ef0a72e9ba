# ./dev drill: the stack `drill`, optionally as a cluster, with a small disk for RabbitMQ and a library for wrong clocks.

dev_drill() { # dev_drill OPTION…
  local profile=${DRILL_PROFILE:-release}
  build_site "$profile" guildhall-drills
  if [[ ${1:-} == upgrade ]]; then build_old_release "$profile"; fi
  run_drill "$profile" "$@"
}

# The release that ./dev drill upgrade begins with: its last commit.
OLD_RELEASE=0.3.0
OLD_RELEASE_COMMIT=bf323cefe0b136ee5805261d8b8605ecb05885ef

build_old_release() { # build_old_release PROFILE: once, in a folder of its own
  local folder=$target/release-$OLD_RELEASE
  if [[ ! -f $folder/source/Cargo.toml ]]; then
    rm -rf "$folder"/{new,source} && mkdir -p "$folder/new"
    git archive "$OLD_RELEASE_COMMIT" | tar -x -C "$folder/new" ||
      die "The commit of version $OLD_RELEASE is missing. Run: git fetch --unshallow"
    mv "$folder/new" "$folder/source"
  fi
  say "cargo build of version $OLD_RELEASE (the first build takes some minutes)"
  (cd "$folder/source" && CARGO_TARGET_DIR=../target cargo build --locked --profile "${1/debug/dev}" \
    -p guildhall-api -p guildhall-workers -p guildhall-sandbox)
}

# One process of each kind. With --cluster: three nodes of RabbitMQ, two apis behind HAProxy, and two workers. For `rotate` and
# `upgrade`: two apis and two workers. An upgrade begins with the services of the old release.
run_drill() { # run_drill PROFILE OPTION…
  local more="" # the other processes
  export DRILL_PROFILE=$1 DRILL_NEW_PROFILE=$1
  shift
  lock_stack drill
  if [[ " $* " == *" --cluster "* ]]; then cluster=yes more=" api2 workers2 rabbitmq2 rabbitmq3"; fi
  case ${1:-} in
    rotate | upgrade) export GUILDHALL_CHARACTERS_PER_ACCOUNT=100000 && more=" api2 workers2" ;;
    mails)
      ((EUID == 0)) || die "./dev drill mails must run as root, because Postfix changes its user."
      require_package postfix "mail server" test -x /usr/lib/postfix/sbin/master
      mails=yes more=" postfix"
      ;;
  esac
  require_package faketime "gives a process a wrong clock" faketime_library
  if [[ -n $cluster ]]; then require_package haproxy "proxy in front of the apis"; fi
  install_missing
  begin_stack stop_drill
  mount_small_disk
  start_servers
  if [[ -n $mails ]]; then start_mail_server; fi
  if [[ ${1:-} == upgrade ]]; then DRILL_PROFILE=release-$OLD_RELEASE/target/$DRILL_PROFILE; fi
  lift_limits
  start_site "$DRILL_PROFILE"
  export DRILL_STACK=$dir DRILL_PROCESSES="api workers rabbitmq postgres redis sandbox$more"
  export DRILL_API=$GUILDHALL_API_LISTEN DRILL_OTHER_API=127.0.0.1:$DEV_API2_PORT
  export DRILL_CREDENTIALS DRILL_FAKETIME DRILL_NEW_SECRET
  DRILL_CREDENTIALS=$(<"$dir/credentials") DRILL_FAKETIME=$(faketime_library) DRILL_NEW_SECRET=$(random_base64 48)
  if [[ -n $cluster ]]; then
    export GUILDHALL_TRUSTED_PROXIES=127.0.0.1/32 GUILDHALL_DRAIN_SECONDS=3 DRILL_API=127.0.0.1:$DEV_HAPROXY_PORT
    # A drill needs no other user and no log of requests.
    sed '/^global$/,/^$/d' deploy/haproxy.cfg >"$dir/haproxy.cfg"
    GUILDHALL_HAPROXY_LISTEN=$DRILL_API GUILDHALL_API_1=$GUILDHALL_API_LISTEN GUILDHALL_API_2=$DRILL_OTHER_API \
      GUILDHALL_API_1_HEALTH_PORT=$DEV_API_HEALTH_PORT GUILDHALL_API_2_HEALTH_PORT=$DEV_API2_HEALTH_PORT \
      start_process haproxy haproxy -db -f "$dir/haproxy.cfg"
    wait_for haproxy
  fi
  "$target/$DRILL_NEW_PROFILE/guildhall-drills" "$@"
}

stop_drill() {
  stop_stack
  if mountpoint -q "$dir/rabbitmq"; then umount "$dir/rabbitmq"; fi
  if [[ -n ${DRILL_POSTFIX:-} ]]; then rm -rf "$DRILL_POSTFIX"; fi
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

# Starts a process that a drill has stopped. With migrate: migrates the database, with further options. With rabbitmqctl or
# rabbitmq-queues: runs that program for its broker.
dev_part() { # dev_part NAME [SETTING=VALUE…]
  local name=${1:-} port kind health=/healthz # a drill may have stopped the servers that /readyz needs
  use_stack "${PART_STACK:-drill}"
  [[ -n $name ]] || wrong_usage
  [[ -f $dir/env ]] || die "No ./dev drill and no ./dev web test runs."
  case $name in
    rabbitmqctl | rabbitmq-queues) run_rabbitmq_tool "$@"; return ;;
    migrate) "$target/$DRILL_NEW_PROFILE/guildhall-workers" "$@"; return ;;
    api? | workers?)
      port=DEV_${name^^}_PORT kind=${name%?}
      export "GUILDHALL_${kind^^}_LISTEN=127.0.0.1:${!port}" GUILDHALL_API_HEALTH_LISTEN=127.0.0.1:$DEV_API2_HEALTH_PORT
      ;;
  esac
  if (($# > 1)); then export "${@:2}"; fi
  case $name in
    api* | workers* | sandbox) start_apps "$DRILL_PROFILE" "$name"; return ;;
    postgres)
      # Without an init process that reaps zombies, the pid of the old server still seems to run.
      is_running postgres || rm -f "$dir/postgres/postmaster.pid"
      start_postgres
      ;;
    rabbitmq*) start_rabbitmq "${name#rabbitmq}" ;;
    *) "start_$name" ;;
  esac
  wait_for "$name"
}

# The mail server of ./dev drill mails: a Postfix of its own, which demands TLS and delivers each mail to one folder. The users of
# Postfix can enter the folder of its files.
start_mail_server() {
  local folder
  folder=$(mktemp -d /tmp/guildhall-postfix.XXXXXX)
  export DRILL_POSTFIX=$folder
  chmod 755 "$folder"
  install -d -m 755 "$folder"/{queue,tls}
  install -d -o postfix "$folder"/{data,mails}
  make_certificate "$folder/tls/authority" basicConstraints=critical,CA:TRUE
  make_certificate "$folder/tls/server" subjectAltName=DNS:localhost "$folder/tls/authority"
  cat >"$folder/main.cf" <<TEXT
compatibility_level = 3.6
queue_directory = $folder/queue
data_directory = $folder/data
maillog_file = $folder/log
maillog_file_prefixes = $folder
myhostname = localhost
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
mynetworks =
virtual_mailbox_domains = example.org
virtual_mailbox_base = $folder/mails
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:$(id -u postfix)
virtual_gid_maps = static:$(id -g postfix)
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = $folder/tls/server-with-key.pem
smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service inet:127.0.0.1:$DEV_POLICY_PORT
smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:$DEV_POLICY_PORT
TEXT
  # Debian's list of its processes, with another port and without chroot.
  sed -E "s/^smtp +inet/127.0.0.1:$DEV_POSTFIX_PORT inet/; s/^((\S+\s+){4})y/\1n/" /usr/share/postfix/master.cf.dist >"$folder/master.cf"
  postfix -c "$folder" check
  start_postfix
  wait_for postfix
  # Workers trust the authority of this run alone.
  export SSL_CERT_FILE=$folder/tls/authority.pem GUILDHALL_MAILS_PER_MINUTE=1000000
}

start_postfix() { start_process postfix /usr/lib/postfix/sbin/master -c "$DRILL_POSTFIX" -s; }
