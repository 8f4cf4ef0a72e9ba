# ./dev deploy: checks of deploy/, with the real programs and a site of its own (.dev/deploy).

dev_deploy() {
  (($# == 0)) || wrong_usage
  require_node
  lock_stack deploy
  require_venv
  require_package kubernetes-client "kubectl kustomize" command -v kubectl
  require_package systemd "checks units" command -v systemd-analyze
  require_package openssl "makes certificates"
  require_package jq "reads responses"
  require_nginx
  require_package caddy "a proxy"
  require_package haproxy "a proxy"
  install_missing
  begin_stack stop_deployment
  build_site debug
  build_web
  check_manifests
  check_unit_files
  start_servers
  make_certificates
  start_fresh_site
  check_units_start
  check_proxies
  say "all checks of deploy/ have passed"
}

stop_deployment() {
  stop_units
  stop_processes bank caddy false-api
  stop_stack
}

check_manifests() {
  install_python_tool kubernetes-validate 1.37.0
  kubectl kustomize deploy/kubernetes >"$dir/manifests.yaml"
  say "ok: kubectl kustomize"
  .dev/kubernetes-validate/bin/kubernetes-validate --strict --quiet "$dir/manifests.yaml" deploy/kubernetes/secrets.example.yaml
  say "ok: the manifests follow the schema of Kubernetes 1.37"
  .dev/kubernetes-validate/bin/python dev.d/manifests.py "$dir/manifests.yaml" | say_lines
}

# Certificates for the site and for the bank, each from an authority of its own, and one for a stranger.
make_certificates() {
  local tls=$dir/tls
  mkdir "$tls"
  make_certificate "$tls/site-authority" basicConstraints=critical,CA:TRUE
  make_certificate "$tls/bank-authority" basicConstraints=critical,CA:TRUE
  make_certificate "$tls/site" subjectAltName=DNS:localhost,DNS:www.example.org,DNS:pix.example.org "$tls/site-authority"
  make_certificate "$tls/bank" extendedKeyUsage=clientAuth "$tls/bank-authority"
  make_certificate "$tls/stranger" extendedKeyUsage=clientAuth "$tls/site-authority"
}

make_certificate() { # make_certificate FILE EXTENSION [AUTHORITY]: writes FILE.key, FILE.pem, and both to FILE-with-key.pem
  quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=${1##*/}" -addext "$2" \
    -config <(printf '%s\n' '[req]' 'distinguished_name = name' '[name]') ${3:+-CA "$3.pem" -CAkey "$3.key"} \
    -keyout "$1.key" -out "$1.pem"
  cat "$1.key" "$1.pem" >"$1-with-key.pem"
}
