# shellcheck shell=bash
# The client SDKs in clients/, generated from docs/openapi.json.

LANGUAGES=(typescript python rust)

make_sdk() { # make_sdk [LANGUAGE [story|test]]
  local languages=("${LANGUAGES[@]}") language
  [[ "${1:-rust} ${2:-test}" =~ ^(typescript|python|rust)\ (story|test)$ ]] || die "./dev sdk [typescript|python|rust [story|test]]"
  if (($#)); then languages=("$1"); fi
  for language in "${languages[@]}"; do make_client "$language"; done
  if (($# < 2)); then return; fi
  stack=up dir=$stacks/up
  is_running api || die "The site is not running. Start it with ./dev up."
  export_example_environment
  if [[ $2 == test ]]; then clients/sdk "$1" check; fi
  clients/sdk "$1" "$2"
}

# Generates and tests each client on a fresh site. The Rust client is compiled meanwhile: mostly, that uses one processor.
test_clients() {
  local language compiler
  make_client rust >"$dir/rust-client.log" 2>&1 &
  compiler=$!
  start_fresh_site
  export_example_environment
  for language in typescript python; do
    make_client "$language"
    test_client "$language"
  done
  wait "$compiler" || die "$(cat "$dir/rust-client.log")" "the Rust client cannot be compiled."
  test_client rust
}

test_client() { # test_client LANGUAGE
  say "$1: the example scenario"
  clients/sdk "$1" test
}

make_client() { # make_client LANGUAGE
  if [[ $1 == typescript ]]; then require_node; fi
  say "$1: generating the client"
  clients/sdk "$1" make
}

# The OpenAPI document, the generated clients and the examples.
check_clients() {
  local language
  require_node
  clients/sdk lint
  for language in "${LANGUAGES[@]}"; do
    if [[ $language != rust ]]; then make_client "$language"; fi # clippy runs the build script that generates the Rust client
    clients/sdk "$language" check
  done
}

# The addresses and accounts that the examples use.
export_example_environment() {
  local role name secret
  load_env
  export GUILDHALL_URL=http://$GUILDHALL_API_LISTEN GUILDHALL_BANK_URL=http://$GUILDHALL_SANDBOX_LISTEN
  for role in editor merchant; do
    read -r name secret < <(credentials $role)
    export "GUILDHALL_${role^^}=$name" "GUILDHALL_${role^^}_PASSWORD=$secret"
  done
  read -r name GUILDHALL_GAME_TOKEN < <(credentials game)
  export GUILDHALL_GAME_TOKEN
}
