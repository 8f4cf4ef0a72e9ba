# shellcheck shell=bash
# ./dev compose: the site in containers (docker-compose.yml).

compose() {
  case ${1:-} in
    init) init_compose .env "${@:2}" ;;
    test) test_compose ;;
    *) die "./dev compose init [--sandbox]   write passwords and a secret for docker-compose.yml into .env" \
      "./dev compose test               build the images and test the site in containers (about 25 minutes)" ;;
  esac
}

# Adds the variables that the file does not have or leaves empty. A repeated call changes nothing.
init_compose() { # init_compose FILE [--sandbox]
  local file=$1 password
  [[ -z ${2:-} || $2 == --sandbox ]] || die "./dev compose init [--sandbox]"
  mkdir -p pictures # Docker would create it for root
  (umask 077 && touch "$file")
  for password in POSTGRES_PASSWORD RABBITMQ_PASSWORD REDIS_PASSWORD; do set_default "$password" "$(random_hex)"; done
  set_default GUILDHALL_SECRET "$(random_base64 48)"
  set_default GUILDHALL_MAIL_SECRET "$(random_base64 48)"
  if [[ ${2:-} == --sandbox ]]; then
    set_default COMPOSE_PROFILES sandbox
    set_default GUILDHALL_PIX_KEY "$SANDBOX_PIX_KEY"
    set_default GUILDHALL_PIX_URL http://sandbox:8082/api/v2
    set_default GUILDHALL_PIX_TOKEN_URL http://sandbox:8082/oauth/token
    set_default GUILDHALL_PIX_CLIENT_ID guildhall
    set_default GUILDHALL_PIX_CLIENT_SECRET "$(random_hex)"
    set_default GUILDHALL_PIX_WEBHOOK_SECRET "$(random_hex)"
    set_default GUILDHALL_SMTP_URL 'smtp://sandbox:8025?tls=none'
    set_default GUILDHALL_MAIL_FROM noreply@example.org
    set_default GUILDHALL_SITE_URL http://localhost:8088
  fi
  say "$file has the passwords and the secret. Keep it: the data needs the same passwords and the same secret."
}

# An empty value counts as not set: its line is replaced.
set_default() { # set_default NAME VALUE, in $file of init_compose
  local other_lines
  if grep -q "^$1=.*[^[:space:]]" "$file"; then return; fi
  if grep -q "^$1=" "$file"; then
    other_lines=$(sed "/^$1=/d" "$file")
    printf '%s\n' "$other_lines" >"$file"
  fi
  printf '%s=%s\n' "$1" "$2" >>"$file"
}

# The site as README starts it, under another project name and on other ports. Containers are killed under load, removed
# and started again; nothing may be lost.
test_compose() {
  lock_stack compose
  # Compose prefers the environment to the file: settings of this shell and of an earlier run would replace those of this run.
  unset "${!GUILDHALL_@}" "${!COMPOSE_@}" POSTGRES_PASSWORD RABBITMQ_PASSWORD REDIS_PASSWORD SANDBOX_PORT
  export COMPOSE_PROJECT_NAME=guildhall-test COMPOSE_ENV_FILES=$dir/env
  trap stop_compose EXIT
  trap 'exit 130' INT TERM HUP
  start_engine
  provide_images
  choose_compose_ports
  init_compose "$dir/env" --sandbox
  docker compose down --volumes --remove-orphans
  say "building the images"
  docker compose build
  check_images
  docker compose up --detach --wait --wait-timeout 300
  say "loading the demo community"
  docker compose run --rm workers guildhall-workers demo | tee "$dir/credentials"
  docker compose run --rm register-webhook
  say "the commands of README and TUTORIAL"
  docs/check --stack compose
  python3 dev.d/compose.py "$dir"
  say "docker compose has passed"
}

# The images are small, have no shell, and list the dependencies of each binary.
check_images() {
  local image size container binary count
  for image in $(docker compose config --images | grep guildhall | sort -u); do
    size=$(docker image inspect --format '{{.Size}}' "$image")
    ((size <= 60000000)) || die "$image has $size bytes, more than 60 MB."
    if docker run --rm --entrypoint sh "$image" -c true 2>/dev/null; then die "$image has a shell."; fi
    say "$image has $((size / 1000000)) MB"
    container=$(docker create "$image")
    docker cp "$container:/bin/." "$dir/binaries" >/dev/null
    docker rm "$container" >/dev/null
  done
  for binary in "$dir"/binaries/guildhall-*; do
    count=$(objcopy --dump-section .dep-v0=/dev/stdout "$binary" /dev/null |
      python3 -c 'import json, sys, zlib; print(len(json.loads(zlib.decompress(sys.stdin.buffer.read()))["packages"]))')
    ((count > 100)) || die "${binary##*/} lists $count packages."
    say "${binary##*/} lists $count packages"
  done
}

choose_compose_ports() {
  local ports=() base=$((20000 + RANDOM % 10000))
  rm -rf "$dir/env" "$dir/binaries" # passwords of volumes that are removed
  choose_port API $base none
  choose_port SANDBOX $((base + 1)) none
  choose_port SITE $((base + 2)) none
  (umask 077 && cat >"$dir/env") <<TEXT
GUILDHALL_PORT=$DEV_API_PORT
SANDBOX_PORT=$DEV_SANDBOX_PORT
GUILDHALL_SITE_PORT=$DEV_SITE_PORT
GUILDHALL_API_LISTEN=127.0.0.1:$DEV_API_PORT
GUILDHALL_SANDBOX_LISTEN=127.0.0.1:$DEV_SANDBOX_PORT
TEXT
}

stop_compose() {
  if docker info >/dev/null 2>&1; then
    docker compose logs --no-color >"$dir/containers.log" 2>&1 || true
    docker compose down --volumes --remove-orphans || true
  fi
  stop_processes dockerd
}
