# shellcheck shell=bash
# The Docker engine of ./dev compose: the one of this system, or an own one in .dev/docker/ that ends with the command.

engine=$PWD/.dev/docker

# Packages of Debian 13: Compose 2 is not in Debian 12. Their programs run on both.
ENGINE_PACKAGES=(docker.io docker-cli docker-compose docker-buildx containerd)

start_engine() {
  if docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; then return; fi
  say "there is no Docker engine with Compose 2 that this user may use: starting an own one"
  ((EUID == 0)) || die "Only root can start an engine. Install Docker with Compose 2, or run this command as root."
  command -v apt-get >/dev/null || die "This system has no apt-get. Install Docker with Compose 2."
  require_package runc "runs containers" command -v runc
  require_package iptables "networks of containers" command -v iptables
  install_required
  [[ -x $engine/bin/dockerd ]] || install_engine
  export DOCKER_HOST=unix://$engine/docker.sock DOCKER_CONFIG=$engine/config PATH=$engine/bin:$PATH
  start_process dockerd dockerd --data-root "$engine/data" --exec-root "$engine/run" --pidfile "$engine/dockerd.pid" --host "$DOCKER_HOST"
  wait_until_ready dockerd docker info
}

install_engine() { # the packages are unpacked, not installed: nothing of this system changes
  local apt=(apt-get -qq -o Dir::Etc::SourceList="$engine/apt/trixie.sources" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$engine/apt/lists" -o Dir::Cache="$engine/apt/cache" -o APT::Sandbox::User=root)
  say "unpacking the engine into $engine"
  rm -rf "$engine/apt" "$engine/root"
  mkdir -p "$engine"/apt/{lists,cache/archives}/partial "$engine/bin" "$engine/config/cli-plugins"
  cat >"$engine/apt/trixie.sources" <<'TEXT'
Types: deb
URIs: http://deb.debian.org/debian
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
TEXT
  "${apt[@]}" update
  (cd "$engine/apt" && "${apt[@]}" download "${ENGINE_PACKAGES[@]}" && for package in *.deb; do dpkg -x "$package" "$engine/root"; done)
  ln -sf "$engine"/root/usr/libexec/docker/cli-plugins/* "$engine/config/cli-plugins/"
  ln -sf "$engine"/root/usr/bin/* "$engine"/root/usr/sbin/docker* "$engine/bin/"
  rm -rf "$engine/apt"
}

# ---- Images ------------------------------------------------------------------------------------

# The images that the Dockerfile and docker-compose.yml name. Where no registry can be reached, images of the same names
# are made from Debian's packages.
provide_images() {
  local image
  for image in $(sed -n 's/^FROM \([a-z]*:[^ ]*\).*/\1/p' Dockerfile) $(sed -n 's/^ *image: \(.*[a-z]:[0-9.]*\)$/\1/p' docker-compose.yml | grep -v guildhall); do
    # An image that was made here is made again: its files may have changed.
    if [[ $(docker image inspect --format '{{index .Config.Labels "made-by"}}' "$image" 2>&1) == "" ]]; then continue; fi
    say "pulling $image"
    timeout 600 docker pull --quiet "$image" || make_image "$image"
  done
}

make_image() { # make_image NAME:TAG: from Debian's packages, see deploy/images/
  local name=${1%%:*} release=trixie folder
  say "no registry can be reached: making $1 from Debian's packages"
  if [[ $name == rust ]]; then release=bookworm; fi
  make_base_image "$release"
  folder=$(mktemp -d)
  cp "deploy/images/$name"* "$folder"
  # The certificates by which cargo and npm know their registries.
  cp /etc/ssl/certs/ca-certificates.crt "$folder"
  if [[ $name == rust ]]; then
    # This system's toolchain.
    mkdir "$folder/toolchain"
    cp -r "$(rustc --print sysroot)"/{bin,lib} "$folder/toolchain"
  fi
  docker build --quiet --network host --label made-by=guildhall --tag "$1" --file "deploy/images/$name" "$folder"
  rm -rf "$folder"
}

make_base_image() { # make_base_image RELEASE: debian:RELEASE-slim
  local folder=$engine/$1
  if docker image inspect "debian:$1-slim" >/dev/null 2>&1; then return; fi
  rm -rf "$folder"
  install_debian "$1" "$folder"
  tar -C "$folder" -c . | docker import - "debian:$1-slim" >/dev/null
  rm -rf "$folder"
}
