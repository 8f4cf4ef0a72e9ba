# ./dev fuzz: schemathesis against the running API, and libFuzzer for the readers of external input.

dev_fuzz() { # dev_fuzz [TARGET|api] [--seconds N] [--seed N]
  local choice="" seconds="" seed=$((RANDOM + 1))
  while (($#)); do
    case $1 in
      --seconds | --seed) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || wrong_usage; printf -v "${1#--}" %s "$2"; shift 2 ;;
      *) [[ -z $choice ]] || wrong_usage; choice=$1; shift ;;
    esac
  done
  if [[ $choice == api ]]; then
    require_fuzzer
    start_test_servers
    build_site debug
    fuzz_api --max-time "${seconds:-900}" --seed "$seed" --max-examples 1000
  else
    fuzz_targets "$choice" "${seconds:-60}" "$seed"
  fi
}

require_fuzzer() {
  require_venv
  require_package jq "writes the accounts of the fuzzer"
}

fuzz_api() { # fuzz_api [SCHEMATHESIS-ARGUMENT…]
  install_python_tool schemathesis 4.32.5
  start_fresh_site
  print_fuzzer_identities >"$dir/identities.json"
  SPARE_ACCOUNT=$(sql guildhall -qtA -c "select account_id from accounts where name = 'greycloak'") \
    HYPOTHESIS_STORAGE_DIRECTORY=$dir/hypothesis IDENTITIES=$dir/identities.json \
    .dev/schemathesis/bin/schemathesis --config-file tests/schemathesis.toml run "$@" "http://$GUILDHALL_API_LISTEN/openapi.json"
  stop_processes api workers sandbox
}

# The fuzzer calls each operation as the first of them that is allowed to. It also checks that the second player cannot read the
# data of the first.
print_fuzzer_identities() { # in the format of Web Fuzzing Commons
  local role password
  password=$(random_hex)
  curl -fsS -o /dev/null "http://$GUILDHALL_API_LISTEN/accounts/register" -H 'content-type: application/json' \
    -d '{ "name": "neighbour", "email": "neighbour@example.org", "password": "'"$password"'" }'
  echo "neighbour neighbour $password" >>"$dir/credentials"
  for role in player neighbour admin game; do echo "$role $(credentials $role)"; done | jq -Rn '
    def log_in: {verb: "POST", endpoint: "/auth", contentType: "application/json",
      payloadUserPwd: {usernameField: "login", username: .[1], passwordField: "password", password: .[2]},
      token: {extractFrom: "body", extractSelector: "/access_token",
              sendIn: "header", sendName: "Authorization", sendTemplate: "Bearer {token}"}};
    def header: {name: "Authorization", value: "Bearer \(.[2])"};
    {auth: [inputs / " " | {name: .[0]} + if .[0] == "game" then {fixedHeaders: [header]} else {loginEndpointAuth: log_in} end]}'
}

# The targets of libFuzzer. No sanitizer is used: sanitizers need a nightly compiler and find errors of unsafe code, which this project
# does not have. Without them a stable compiler is enough. Overflows and debug assertions panic anyway.
fuzz_targets() { # fuzz_targets TARGET|"" SECONDS SEED
  local target targets=("$1") failed=()
  local options=(--fuzz-dir "$FUZZ" --sanitizer none --features libfuzzer --target-dir .dev/fuzz-target)
  [[ -n $1 ]] || mapfile -t targets < <(basename -s .rs "$FUZZ"/fuzz_targets/*.rs)
  [[ -e $FUZZ/fuzz_targets/${targets[0]}.rs ]] || die "$FUZZ/fuzz_targets/$1.rs does not exist."
  require_package g++ "compiles libFuzzer" command -v c++
  install_missing
  install_cargo_tool cargo-fuzz 0.13.2
  trap 'exit 130' INT TERM HUP # libFuzzer reports success when it is interrupted
  say "cargo fuzz build (the first build takes some minutes)"
  cargo fuzz build "${options[@]}" ${1:+"$1"}
  for target in "${targets[@]}"; do
    # libFuzzer writes new inputs to the first folder, and the next run reads them. The committed corpus is not changed.
    mkdir -p ".dev/fuzz/$target"
    say "$target for $2 s, seed $3"
    cargo fuzz run "${options[@]}" "$target" ".dev/fuzz/$target" "$FUZZ/corpus/$target" -- -max_total_time="$2" -seed="$3" \
      -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 >".dev/fuzz/$target.log" 2>&1 || failed+=("$target")
    grep -oE '(INITED|DONE) +cov: [0-9]+|^stat::.*' ".dev/fuzz/$target.log" | sed 's/^/       /' || true
  done
  for target in "${failed[@]}"; do
    printf '\nThe end of .dev/fuzz/%s.log:\n' "$target"
    tail -n 30 ".dev/fuzz/$target.log"
  done
  ((!${#failed[@]})) ||
    die "The failing input is in $FUZZ/artifacts/. Fix the defect, and keep the input in $FUZZ/corpus/ under a descriptive name."
}
