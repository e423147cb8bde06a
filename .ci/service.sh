# Sourced by the scripts that test the running service: runs the built service on embedded servers and a new DATA_DIR.
# Sets `work` (a temporary folder) and, once started, `url`. Everything ends with the script.
work=$(mktemp -d)
service=
running=
passed=0
failed=0

# Ends the started processes by their ids, also when a step fails or the script is interrupted.
end() {
  trap '' INT TERM
  stop "$running" 2
  # The service ends within 10 s. Its servers end with it or within 5 s after it.
  stop "$service" 15
  local file id started
  for file in "$work"/data/*.pid; do
    [ -f "$file" ] && read -r id started <"$file" || continue
    # Stops only the same process, not another one that has its id now.
    [ "$(cut -d' ' -f22 "/proc/$id/stat" 2>/dev/null)" = "$started" ] && stop "$id" 6
  done
  rm -rf "$work"
}

# Sends a process SIGTERM, and SIGKILL after the given number of seconds.
stop() {
  local id=$1 seconds=$2
  [ -n "$id" ] && kill "$id" 2>/dev/null || return 0
  for _ in $(seq $((seconds * 10))); do
    kill -0 "$id" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$id" 2>/dev/null || true
}

trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command that a signal to this script ends at once. For a foreground command, bash would wait until it ends.
interruptible() {
  "$@" &
  running=$!
  local status=0
  wait "$running" || status=$?
  running=
  return "$status"
}

start() {
  [ -f dist/workers/start.js ] || npm run --silent build
  # The check does not use the servers and settings of the user who runs it.
  unset MONGODB_URI REDIS_URL ORG ADMIN_USERNAME ADMIN_PASSWORD JWT_SECRET TOKEN_TTL RATE_LIMIT BODY_LIMIT RULES_DIR DEMO
  export DATA_DIR=$work/data PORT=0 HOST=127.0.0.1 LOG_LEVEL=warn
  # Creates the file before the loop below reads it.
  : >"$work/service.log"
  node dist/workers/start.js >>"$work/service.log" 2>&1 &
  service=$!
  for _ in $(seq 600); do
    url=$(sed -n 's#^ *API *\(http://[^/]*\)/api/v1$#\1#p' "$work/service.log")
    [ -n "$url" ] && return
    kill -0 "$service" 2>/dev/null || break
    sleep 0.2
  done
  cat "$work/service.log"
  echo 'the service did not start'
  return 1
}

# Creates a user with a role and sets `password`.
create_user() {
  password=$(node -p 'require("node:crypto").randomBytes(18).toString("hex")')
  echo "$password" | node dist/src/commands/users.js create "$1" --role "$2" >/dev/null
}

# Counts a check that passed or failed.
count() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

no_server_error() {
  ! grep -E '"status":5[0-9][0-9]|"level":[56]0' "$work/service.log"
}

# The last check and the last line of each such script.
summary() {
  echo '== no answer of the service was a server error'
  count no_server_error
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
