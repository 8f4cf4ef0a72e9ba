# shellcheck shell=bash
# ./dev deploy: checks of deploy/, with the real programs and a site of its own (.dev/deploy).

# shellcheck source=dev.d/units.sh
source dev.d/units.sh
# shellcheck source=dev.d/proxies.sh
source dev.d/proxies.sh

KUBERNETES_VALIDATE=1.37.0

deploy() {
  (($# == 0)) || die "./dev deploy has no arguments."
  require_node
  lock_stack deploy
  install_deployment_tools
  stop_deployment # processes of a killed run
  rm -rf "$dir"
  install -d -m 700 "$dir"
  unset "${!DEV_@}"
  trap stop_deployment EXIT
  trap 'exit 130' INT TERM HUP
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

install_deployment_tools() {
  require_package python3-venv "runs kubernetes-validate" python3 -c 'import ensurepip, venv'
  require_package kubernetes-client "kubectl kustomize" command -v kubectl
  require_package systemd "checks units" command -v systemd-analyze
  require_package openssl "makes certificates" command -v openssl
  PATH=$PATH:/usr/sbin # where Debian has proxies
  require_package nginx "a proxy" command -v nginx
  require_package caddy "a proxy" command -v caddy
  require_package haproxy "a proxy" command -v haproxy
  install_missing
}

stop_deployment() {
  stop_units
  stop_processes bank "${PROXIES[@]}"
  stop_stack
}

# ---- Kubernetes -------------------------------------------------------------------------------

check_manifests() {
  local venv=.dev/kubernetes-venv
  if [[ $("$venv/bin/kubernetes-validate" --version 2>/dev/null) != *"$KUBERNETES_VALIDATE"* ]]; then
    say "installing kubernetes-validate $KUBERNETES_VALIDATE into $venv"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "kubernetes-validate==$KUBERNETES_VALIDATE"
  fi
  kubectl kustomize deploy/kubernetes >"$dir/manifests.yaml"
  say "ok: kubectl kustomize"
  "$venv/bin/kubernetes-validate" --strict --quiet "$dir/manifests.yaml" deploy/kubernetes/secrets.example.yaml
  say "ok: the manifests follow the schema of Kubernetes ${KUBERNETES_VALIDATE%.*}"
  "$venv/bin/python" dev.d/manifests.py "$dir/manifests.yaml" | while read -r line; do say "$line"; done
}
