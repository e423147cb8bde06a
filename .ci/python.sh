# Sourced after service.sh by the scripts that need Python packages. Needs Python with pip.

# Installs packages once per machine, in a cache of the given name: in a virtual environment if Python can create one
# (Debian needs python3-venv), else in a folder of packages, which an "externally managed" Python accepts too (PEP 668).
install_python() {
  python_cache=${XDG_CACHE_HOME:-$HOME/.cache}/loyalty-service/$1
  shift
  if ! python_packages "$@"; then
    echo "$* cannot be installed: python3 with pip and a package registry are needed"
    exit 1
  fi
  exec 9>&-
}

python_packages() {
  mkdir -p "$(dirname "$python_cache")"
  # Another run may install at the same time.
  exec 9>"$python_cache.lock" && flock 9
  [ -f "$python_cache/done" ] && return
  rm -rf "$python_cache" && mkdir -p "$python_cache"
  local pip=(-m pip install --quiet --disable-pip-version-check --no-input --root-user-action ignore)
  if python3 -m venv "$python_cache/venv" >/dev/null 2>&1; then
    interruptible "$python_cache/venv/bin/python" "${pip[@]}" "$@"
  else
    rm -rf "$python_cache/venv"
    interruptible python3 "${pip[@]}" --target "$python_cache/packages" "$@"
  fi && touch "$python_cache/done"
}

# Runs the Python that has these packages.
python() {
  local program=python3
  [ -x "$python_cache/venv/bin/python" ] && program=$python_cache/venv/bin/python
  interruptible env PYTHONPATH="$python_cache/packages${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 "$program" "$@"
}
