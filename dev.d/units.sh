# The part of ./dev deploy for deploy/systemd/: the texts of the units, and their services under a systemd of their own.

# systemd compares the units with the files of a root folder, so nothing is installed on this machine.
check_unit_files() {
  local folder=$dir/units units=(guildhall-api.service guildhall-workers.service guildhall-migrate.service) exposure problems
  mkdir -p "$folder"/{etc/systemd,usr/local/bin,lib/systemd}
  cp -r /lib/systemd/system "$folder/lib/systemd"
  cp -r deploy/systemd "$folder/etc/systemd/system"
  cp "$target"/debug/guildhall-{api,workers} "$folder/usr/local/bin"
  problems=$(systemd-analyze verify --root="$folder" --man=no "${units[@]}" 2>&1) || true
  expect "systemd-analyze verify finds nothing" "" "$problems"
  exposure=$(systemd-analyze security --root="$folder" --offline=true --threshold=20 --no-pager "${units[@]}") ||
    die "$(grep -e '✗' -e Overall <<<"$exposure")" "systemd-analyze security: an exposure is above 2.0."
  grep -o 'guildhall-.*: [0-9.]*' <<<"$exposure" | sed 's/^/ok: exposure of /' | say_lines
  rm -rf "$folder"
}

check_units_start() {
  local unit services=(guildhall-api.service guildhall-workers.service)
  if ((EUID != 0)) || ! unshare --mount --pid --fork --cgroup true 2>/dev/null; then
    say "skipped: only root, with namespaces, can start the units under systemd"
    return
  fi
  write_unit_settings
  stop_processes api workers
  start_process systemd dev.d/units-namespace "$target/debug" "$dir/settings" "$dir/systemd.log"
  wait_until_ready systemd systemctl_inside is-active basic.target
  systemctl_inside start "${services[@]}"
  wait_for_services
  expect "the migration has run" active "$(property_of guildhall-migrate.service ActiveState)"
  for unit in "${services[@]}"; do check_restrictions "$unit"; done
  check_documents
  check_operator_commands
  check_restart guildhall-api.service
  for unit in "${services[@]}"; do check_stop "$unit"; done
  check_late_database
  stop_units
}

wait_for_services() {
  wait_until_ready systemd responds "$GUILDHALL_API_HEALTH_LISTEN/readyz"
  wait_until_ready systemd responds "$GUILDHALL_WORKERS_LISTEN/readyz"
}

# The settings of the stack, in the files that the units read. The fake bank does not check the certificate, and the
# mail catcher does not check signatures: both files show that the workers can read them.
write_unit_settings() {
  local folder=$dir/settings workers='WORKERS_LISTEN|SMTP_URL|MAIL_FROM|MAIL_SECRET|SITE_URL'
  mkdir "$folder"
  env | grep -E '^GUILDHALL_(DATABASE|AMQP|REDIS)_URL=' >"$folder/servers.env"
  env | grep -E '^GUILDHALL_(SECRET|API_LISTEN|API_HEALTH_LISTEN|PIX_WEBHOOK_SECRET|WEBHOOK_SECRETS)=' >"$folder/api.env"
  printf 'GUILDHALL_CAPTCHA=altcha\nGUILDHALL_CAPTCHA_AT=recovery\n' >>"$folder/api.env"
  env | grep -E "^GUILDHALL_($workers|PIX_(KEY|URL|TOKEN_URL|CLIENT_ID|CLIENT_SECRET))=" >"$folder/workers.env"
  cp "$dir/tls/bank-with-key.pem" "$folder/bank.pem"
  openssl genrsa -traditional -out "$folder/dkim.pem" 2048 2>/dev/null
}

inside() { nsenter --target "$(pid_inside)" --mount --pid "$@"; } # inside COMMAND…: with the systemd of the units
systemctl_inside() { inside systemctl --no-pager "$@"; }
property_of() { systemctl_inside show --value --property "$2" "$1"; } # property_of UNIT PROPERTY
process_of() { head -n1 "/proc/$(pid_inside)/root/sys/fs/cgroup/system.slice/$1/cgroup.procs"; } # process_of UNIT: its main process
pid_inside() { pgrep -P "$(pid_of systemd)"; } # as seen from here

# No new privileges, a filter of system calls, no capabilities, and another user than root.
check_restrictions() { # check_restrictions UNIT
  local line status
  status=/proc/$(process_of "$1")/status
  for line in 'NoNewPrivs:\s1' 'Seccomp:\s2' 'CapEff:\s0*' 'Uid:(\s[1-9]\d*)+'; do
    grep -qxP "$line" "$status" || die "$1 is not restricted: $status has no line $line" "$(<"$status")"
  done
  expect "$1 was not restarted" 0 "$(property_of "$1" NRestarts)"
  say "ok: $1 is restricted, with $(grep -Po 'Seccomp_filters:\s\K.*' "$status") filters of system calls"
}

has_other_process() { [[ $(process_of "$1") != "$2" ]]; } # has_other_process UNIT PID

check_restart() { # check_restart UNIT
  local pid
  pid=$(process_of "$1")
  kill -KILL "$pid"
  wait_until_ready systemd has_other_process "$1" "$pid"
  wait_for_services
  say "ok: $1 was killed and has started again"
}

check_operator_commands() {
  run_as_operator queues guildhall-workers queues
  grep -q '^guildhall' "$dir/queues.log" || die "guildhall-workers queues lists no queue: $(<"$dir/queues.log")"
  # shellcheck disable=SC2016 # systemd replaces the variable
  run_as_operator register -p EnvironmentFile=/etc/guildhall/api.env -p LoadCredential=bank.pem:/etc/guildhall/bank.pem \
    env 'GUILDHALL_PIX_CERTIFICATE=${CREDENTIALS_DIRECTORY}/bank.pem' \
    guildhall-workers register-webhook "http://$GUILDHALL_API_LISTEN/payments/instant/webhook"
  say "ok: systemd-run starts commands of an operator"
}

# As deploy/README.md has it, but without --pipe --wait, which need D-Bus.
run_as_operator() { # run_as_operator LOG ARGUMENT-OF-SYSTEMD-RUN…
  inside systemd-run --quiet --service-type=oneshot -p DynamicUser=yes -p EnvironmentFile=/etc/guildhall/servers.env \
    -p EnvironmentFile=/etc/guildhall/workers.env -p StandardOutput="file:$dir/$1.log" "${@:2}" ||
    die "A command of an operator failed: ${*:2}" "$(tail -n 5 "$dir/$1.log" "$dir/systemd.log")"
}

# The machine boots, and Postgres is ready later than the units.
check_late_database() {
  stop_processes postgres
  systemctl_inside stop guildhall-migrate.service
  systemctl_inside start guildhall-api.service guildhall-workers.service
  expect "the migration waits for the database" '!(active)' "$(property_of guildhall-migrate.service ActiveState)"
  start_postgres
  wait_for postgres
  wait_until_ready systemd systemctl_inside is-active guildhall-migrate.service
  wait_for_services
  say "ok: the services start before Postgres, and are ready after it"
}

check_stop() { # check_stop UNIT
  systemctl_inside stop "$1"
  expect "$1 stops cleanly" success "$(property_of "$1" Result)"
}

stop_units() {
  local pid cgroup
  pid=$(pid_of systemd) || return 0
  kill -KILL "$pid" # with it ends everything in its namespaces
  rm -f "$dir/systemd.pid"
  cgroup=$(findmnt --noheadings --output TARGET --types cgroup2 | head -n1)/guildhall-$pid
  while grep -qx "populated 1" "$cgroup/cgroup.events"; do sleep 0.1; done
  find "$cgroup" -depth -type d -exec rmdir {} +
}
