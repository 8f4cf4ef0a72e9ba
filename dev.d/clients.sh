# The client SDKs in clients/, generated from docs/openapi.json.

dev_sdk() { # dev_sdk [LANGUAGE [story|test]]
  [[ "${1:-rust} ${2:-test}" =~ ^(typescript|python|rust)\ (story|test)$ ]] || wrong_usage
  make_clients "${1:-}"
  if (($# < 2)); then return; fi
  use_stack up
  is_running api || die "The site is not running. Start it with ./dev up."
  export_example_environment
  if [[ $2 == test ]]; then clients/sdk "$1" check; fi
  clients/sdk "$1" "$2"
}

make_clients() { # make_clients [LANGUAGE]
  local language
  for language in ${1:-rust typescript python}; do make_client "$language"; done
}

# Tests each generated client on a fresh site.
test_clients() {
  local language
  start_fresh_site
  export_example_environment
  for language in typescript python rust; do
    say "$language: the example scenario"
    clients/sdk "$language" test
  done
}

make_client() { # make_client LANGUAGE
  if [[ $1 == typescript ]]; then require_node; fi
  say "$1: generating the client"
  clients/sdk "$1" make
}

# The OpenAPI document, the generated clients and the examples.
check_clients() {
  local language
  clients/sdk lint
  make_client typescript
  make_client python # clippy runs the build script that generates the Rust client
  for language in typescript python rust; do clients/sdk "$language" check; done
}
