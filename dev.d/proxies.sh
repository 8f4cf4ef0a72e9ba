# shellcheck shell=bash
# The part of ./dev deploy for the proxies: each one starts in front of the site, with the file of deploy/.

PROXIES=(nginx caddy haproxy)

# Certificates for the site and for the bank, each from an authority of its own, and one for a stranger.
make_certificates() {
  local name
  rm -rf "$dir/tls"
  mkdir "$dir/tls"
  for name in site-authority bank-authority; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$name" \
      -keyout "$dir/tls/$name.key" -out "$dir/tls/$name.pem" 2>/dev/null
  done
  sign_certificate site site-authority "subjectAltName=DNS:localhost,DNS:www.example.org,DNS:pix.example.org"
  sign_certificate bank bank-authority "extendedKeyUsage=clientAuth"
  sign_certificate stranger site-authority "extendedKeyUsage=clientAuth"
}

sign_certificate() { # sign_certificate NAME AUTHORITY EXTENSION: writes NAME.pem, NAME.key, and both to NAME-with-key.pem
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$dir/tls/$1.key" -out "$dir/tls/$1.csr" 2>/dev/null
  openssl x509 -req -in "$dir/tls/$1.csr" -days 2 -CA "$dir/tls/$2.pem" -CAkey "$dir/tls/$2.key" -CAcreateserial \
    -extfile <(echo "$3") -out "$dir/tls/$1.pem" 2>/dev/null
  cat "$dir/tls/$1.pem" "$dir/tls/$1.key" >"$dir/tls/$1-with-key.pem"
}

# The api trusts one address of loopback: that from which the proxies connect. Clients with other addresses are strangers.
start_site_behind_proxy() {
  local ports=("$DEV_API_PORT" "$DEV_WORKERS_PORT" "$DEV_SANDBOX_PORT")
  choose_port PROXY $((DEV_API_PORT + 10)) nginx
  choose_port BANK $((DEV_API_PORT + 11)) bank
  choose_port FALSE_API $((DEV_API_PORT + 12)) none
  choose_port FALSE_API2 $((DEV_API_PORT + 13)) none
  stop_processes api
  GUILDHALL_TRUSTED_PROXIES=127.0.0.1/32 GUILDHALL_PIX_WEBHOOK_CERTIFICATE_HEADER=X-Client-Verify GUILDHALL_DRAIN_SECONDS=3 \
    GUILDHALL_REGISTRATIONS_PER_HOUR=1 GUILDHALL_REQUESTS_PER_MINUTE=1000000 start_app api debug serve
  start_app workers debug serve
  wait_until_ready api responds "$GUILDHALL_API_LISTEN" /readyz
  wait_until_ready workers responds "$GUILDHALL_WORKERS_LISTEN" /readyz
  start_bank_connection
}

# The fake bank has no TLS. This process forwards its notifications to the proxy with a client certificate.
start_bank_connection() {
  cat >"$dir/bank.cfg" <<TEXT
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen bank
    bind 127.0.0.1:$DEV_BANK_PORT
    http-request set-header Host pix.example.org
    server proxy 127.0.0.1:$DEV_PROXY_PORT ssl crt $dir/tls/bank-with-key.pem ca-file $dir/tls/site-authority.pem verify required sni str(pix.example.org)
TEXT
  start_process bank haproxy -db -f "$dir/bank.cfg"
  wait_until_ready bank is_port_open "$DEV_BANK_PORT"
}

check_proxies() {
  local proxy
  start_site_behind_proxy
  mkdir -p web/dist/pictures
  cp web/public/favicon.svg web/dist/pictures/proxies.svg
  for proxy in "${PROXIES[@]}"; do
    check_proxy "$proxy"
    check_repetition "$proxy"
  done
}

check_proxy() { # check_proxy nginx|caddy|haproxy
  local apis=("$GUILDHALL_API_LISTEN")
  "start_$1_in_front"
  wait_until_ready "$1" is_port_open "$DEV_PROXY_PORT"
  # The bank calls the address before it accepts it, so the proxy must run.
  "$target/debug/guildhall-workers" register-webhook "http://127.0.0.1:$DEV_BANK_PORT/payments/instant/webhook"
  PROXY_TLS=$dir/tls PROXY_CREDENTIALS=$dir/credentials PROXY_BANK=http://$GUILDHALL_SANDBOX_LISTEN \
    python3 dev.d/proxies.py "$1" "$DEV_PROXY_PORT" | while read -r line; do say "$line"; done
  CURL_CA_BUNDLE=$dir/tls/site-authority.pem SSL_CERT_FILE=$dir/tls/site-authority.pem \
    docs/check --stack "${dir#"$PWD"/.dev/}" --api "https://localhost:$DEV_PROXY_PORT" README.md
  stop_processes "$1"
  case $1 in
    nginx) check_log "$dir/nginx/access.log" ;;
    haproxy) check_log "$dir/haproxy.log" ;;
  esac
}

# Logs of requests have the webhook, but not its secret, which is in the query.
check_log() { # check_log LOG
  grep -q '"POST /payments/instant/webhook' "$1" || die "$1 has no request of the bank."
  if grep -q "$GUILDHALL_PIX_WEBHOOK_SECRET" "$1"; then die "$1 has the secret of the webhook."; fi
  say "ok: ${1#"$dir/"} has the requests of the bank without their secret"
}

# With two false apis, which count requests and close connections.
check_repetition() { # check_repetition nginx|caddy|haproxy
  local apis=("127.0.0.1:$DEV_FALSE_API_PORT" "127.0.0.1:$DEV_FALSE_API2_PORT")
  "start_$1_in_front"
  wait_until_ready "$1" is_port_open "$DEV_PROXY_PORT"
  PROXY_TLS=$dir/tls python3 dev.d/repetition.py "$1" "$DEV_PROXY_PORT" "$DEV_FALSE_API_PORT" "$DEV_FALSE_API2_PORT" | while read -r line; do say "$line"; done
  stop_processes "$1"
}

# The file of deploy/ with the certificates of this run. $apis has the addresses of the apis.
adapt() { # adapt FILE SEPARATOR-OF-APIS SED-ARGUMENT…
  sed -e "s|/var/www/guildhall|$PWD/web/dist|; s|127\.0\.0\.1:8080|${apis[0]}${apis[1]:+$2${apis[1]}}|; s|/etc/guildhall|$dir/tls|g; s|api\.example\.org|localhost|" "${@:3}" "deploy/$1"
}

start_nginx_in_front() {
  mkdir -p "$dir/nginx"
  cp deploy/nginx-site.conf "$dir/tls/"
  adapt nginx.conf " fail_timeout=1s; server " -e "s|^user .*|user $(id -un);|; s|^http {|&\n$(print_nginx_folders)|; s|listen 443|listen 127.0.0.1:$DEV_PROXY_PORT|" \
    -e "s|/var/log/nginx|$dir/nginx|; s|/run/nginx.pid|$dir/nginx/pid|" >"$dir/nginx/nginx.conf"
  nginx -t -q -c "$dir/nginx/nginx.conf"
  say "ok: nginx -t"
  start_process nginx nginx -c "$dir/nginx/nginx.conf" -g 'daemon off;'
}

start_caddy_in_front() {
  cp deploy/site.caddy "$dir/"
  adapt Caddyfile " " -e "s#^\(localhost\|[a-z]*\.example\.org\) {#\1:$DEV_PROXY_PORT {#" \
    -e "s|auto_https disable_redirects|&\n\tadmin off\n\tdefault_bind 127.0.0.1|" >"$dir/Caddyfile"
  HOME=$dir caddy validate --config "$dir/Caddyfile" --adapter caddyfile >"$dir/caddy.log" 2>&1 || die "$(<"$dir/caddy.log")" "caddy validate failed."
  say "ok: caddy validate"
  HOME=$dir start_process caddy caddy run --config "$dir/Caddyfile" --adapter caddyfile
}

start_haproxy_in_front() {
  cat >"$dir/tls/certificates" <<TEXT
$dir/tls/site-with-key.pem localhost
$dir/tls/site-with-key.pem [ca-file $dir/tls/bank-authority.pem verify required] pix.example.org
TEXT
  export GUILDHALL_HAPROXY_LISTEN="127.0.0.1:$DEV_PROXY_PORT ssl crt-list $dir/tls/certificates alpn h2,http/1.1 strict-sni"
  export GUILDHALL_API_1=${apis[0]} GUILDHALL_API_2=${apis[1]:-127.0.0.1:1}
  haproxy -c -q -f deploy/haproxy.cfg
  say "ok: haproxy -c"
  # It runs as the user of this command, and logs into the file of the process.
  sed -E '/^    (user|group|chroot) /d; s|/dev/log local0|stdout format raw local0|' deploy/haproxy.cfg >"$dir/haproxy.cfg"
  start_process haproxy haproxy -db -f "$dir/haproxy.cfg"
}
