# shellcheck shell=bash
# ./dev fuzz: schemathesis against the running API, and libFuzzer for the readers of external input.

SCHEMATHESIS=4.32.5
CARGO_FUZZ=0.13.2

fuzz() { # fuzz [TARGET|api] [--seconds N] [--seed N]
  local usage="./dev fuzz [TARGET|api] [--seconds N] [--seed N]" choice="" seconds="" seed=$((RANDOM + 1))
  while (($#)); do
    case $1 in
      --seconds | --seed) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "$usage"; printf -v "${1#--}" %s "$2"; shift 2 ;;
      *) [[ -z $choice ]] || die "$usage"; choice=$1; shift ;;
    esac
  done
  if [[ $choice == api ]]; then
    start_test_servers python3-venv "runs schemathesis" python3 -c 'import ensurepip, venv'
    build_site debug
    fuzz_api --max-time "${seconds:-900}" --seed "$seed" --max-examples 1000
  else
    fuzz_targets "$choice" "${seconds:-60}" "$seed"
  fi
}

# ---- The API ----------------------------------------------------------------------------------

# The fuzzer has four identities: a player, another player, the administrator and a game server. It calls each operation
# as the first of them that is allowed to. It also checks that the second player cannot read the data of the first.
fuzz_api() { # fuzz_api [SCHEMATHESIS-ARGUMENT…]
  install_schemathesis
  start_fresh_site
  print_fuzzer_identities >"$dir/identities.json"
  SPARE_ACCOUNT=$(sql guildhall -qtA -c "select account_id from accounts where name = 'greycloak'") \
    HYPOTHESIS_STORAGE_DIRECTORY=$dir/hypothesis IDENTITIES=$dir/identities.json \
    .dev/venv/bin/schemathesis run "$@" "http://$GUILDHALL_API_LISTEN/openapi.json"
  stop_processes api workers sandbox
}

install_schemathesis() {
  local venv=.dev/venv
  if [[ $("$venv/bin/schemathesis" --version 2>/dev/null) != *" $SCHEMATHESIS" ]]; then
    say "installing schemathesis $SCHEMATHESIS into $venv"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$SCHEMATHESIS"
  fi
}

print_fuzzer_identities() { # in the format of Web Fuzzing Commons
  local password
  password=$(random_hex)
  curl --noproxy '*' -fsS -o /dev/null "http://$GUILDHALL_API_LISTEN/accounts/register" -H 'content-type: application/json' \
    -d '{ "name": "neighbour", "email": "neighbour@example.org", "password": "'"$password"'" }'
  # shellcheck disable=SC2046 # each word is an argument: a name and a password
  cat <<TEXT
{ "auth": [
  $(print_identity player $(credentials player)),
  $(print_identity neighbour neighbour "$password"),
  $(print_identity admin $(credentials admin)),
  { "name": "game", "fixedHeaders": [{ "name": "Authorization", "value": "Bearer $(credentials game | cut -d" " -f2)" }] }
] }
TEXT
}

print_identity() { # print_identity LABEL NAME PASSWORD
  cat <<TEXT
{ "name": "$1", "loginEndpointAuth": {
    "verb": "POST", "endpoint": "/auth", "contentType": "application/json",
    "payloadUserPwd": { "usernameField": "login", "username": "$2", "passwordField": "password", "password": "$3" },
    "token": { "extractFrom": "body", "extractSelector": "/access_token",
               "sendIn": "header", "sendName": "Authorization", "sendTemplate": "Bearer {token}" } } }
TEXT
}

# ---- The targets of libFuzzer -----------------------------------------------------------------

# No sanitizer is used: sanitizers need a nightly compiler and find errors of unsafe code, which this project does not
# have. Without them a stable compiler is enough. Overflows and debug assertions panic anyway.
fuzz_targets() { # fuzz_targets TARGET|"" SECONDS SEED
  local target targets=("$1") options=(--sanitizer none --features libfuzzer --target-dir .dev/fuzz-target) failed=()
  [[ -n $1 ]] || mapfile -t targets < <(basename -s .rs fuzz/fuzz_targets/*.rs)
  [[ -e fuzz/fuzz_targets/${targets[0]}.rs ]] || die "fuzz/fuzz_targets/$1.rs does not exist."
  install_missing g++ "compiles libFuzzer" command -v c++
  install_cargo_tool cargo-fuzz $CARGO_FUZZ
  trap 'exit 130' INT TERM HUP # libFuzzer reports success when it is interrupted
  say "cargo fuzz build (the first build takes some minutes)"
  cargo fuzz build "${options[@]}" ${1:+"$1"}
  for target in "${targets[@]}"; do
    # libFuzzer writes new inputs to the first folder, and the next run reads them. The committed corpus is not changed.
    mkdir -p ".dev/fuzz/$target"
    say "$target for $2 s, seed $3"
    cargo fuzz run "${options[@]}" "$target" ".dev/fuzz/$target" "fuzz/corpus/$target" -- -max_total_time="$2" -seed="$3" \
      -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 >".dev/fuzz/$target.log" 2>&1 || failed+=("$target")
    summarize_fuzzing ".dev/fuzz/$target.log"
  done
  for target in "${failed[@]}"; do
    printf '\nThe end of .dev/fuzz/%s.log:\n' "$target"
    tail -n 30 ".dev/fuzz/$target.log"
  done
  ((!${#failed[@]})) || die "The failing input is in fuzz/artifacts/. Fix the defect, and keep the input in fuzz/corpus/ under a descriptive name."
}

summarize_fuzzing() { # summarize_fuzzing LOG-OF-LIBFUZZER
  awk '/ cov: / { match($0, /cov: [0-9]+/); after = substr($0, RSTART + 5, RLENGTH - 5); if (/INITED/) before = after }
    /stat::number_of_executed_units/ { runs = $2 } /stat::average_exec_per_sec/ { rate = $2 } /stat::peak_rss_mb/ { memory = $2 }
    END { printf "       %d executions, %d/s, %d edges covered, %d of them new, at most %d MB\n", runs, rate, after, after - before, memory }' "$1"
}
