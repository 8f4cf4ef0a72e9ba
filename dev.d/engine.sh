# The Docker engine of ./dev compose: the one of this system, or an own one in .dev/docker/ that ends with the command.

engine=$PWD/.dev/docker

start_engine() {
  if docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; then return; fi
  say "there is no Docker engine with Compose 2 that this user may use: starting an own one"
  ((EUID == 0)) || die "Only root can start an engine. Install Docker with Compose 2, or run this command as root."
  require_package runc "runs containers"
  require_package iptables "networks of containers"
  install_required
  if [[ ! -x $engine/bin/dockerd ]]; then install_engine; fi
  export DOCKER_HOST=unix://$engine/docker.sock DOCKER_CONFIG=$engine/config PATH=$engine/bin:$PATH
  start_process dockerd dockerd --data-root "$engine/data" --exec-root "$engine/run" --pidfile "$engine/dockerd.pid" --host "$DOCKER_HOST"
  wait_until_ready dockerd docker info
}

# The programs of Debian 13 run on Debian 12 too, which has no Compose 2. They are not installed on this system.
install_engine() {
  local program
  mkdir -p "$engine/bin" "$engine/config"
  install_debian trixie "$engine/root" docker.io,docker-cli,docker-compose,docker-buildx
  for program in "$engine"/root/usr/{bin/{docker,containerd,ctr}*,sbin/docker*}; do ln -sf "$program" "$engine/bin/"; done
  ln -sfn "$engine/root/usr/libexec/docker/cli-plugins" "$engine/config/cli-plugins"
}

# The images that the Dockerfile and docker-compose.yml name. Where no registry can be reached, images of the same names
# are made from Debian's packages.
provide_images() {
  local image images
  mapfile -t images < <(sed -nE 's/^(FROM| *image:) ([a-z]+:[^ ]*).*/\2/p' Dockerfile docker-compose.yml | grep -v guildhall)
  for image in "${images[@]}"; do
    # An image that was made here is made again: its files may have changed.
    if [[ $(docker image inspect --format '{{index .Config.Labels "made-by"}}' "$image" 2>&1) == "" ]]; then continue; fi
    say "pulling $image"
    timeout 600 docker pull --quiet "$image" || make_image "$image"
  done
}

make_image() { # make_image NAME:TAG: from Debian's packages, see deploy/images/
  local name=${1%%:*} folder
  say "no registry can be reached: making $1 from Debian's packages"
  make_base_image "$(sed -n 's/^FROM debian:\(.*\)-slim/\1/p' "deploy/images/$name")"
  folder=$(mktemp -d)
  # The certificates by which cargo and npm know their registries.
  cp "deploy/images/$name"* /etc/ssl/certs/ca-certificates.crt "$folder"
  if [[ $name == rust ]]; then # this system's toolchain
    mkdir "$folder/toolchain"
    cp -r "$(rustc --print sysroot)"/{bin,lib} "$folder/toolchain"
  fi
  docker build --quiet --network host --label made-by=guildhall --tag "$1" --file "deploy/images/$name" "$folder"
  rm -rf "$folder"
}

make_base_image() { # make_base_image RELEASE: debian:RELEASE-slim
  if docker image inspect "debian:$1-slim" >/dev/null 2>&1; then return; fi
  rm -rf "${engine:?}/$1"
  install_debian "$1" "$engine/$1"
  tar -C "$engine/$1" -c . | docker import - "debian:$1-slim" >/dev/null
  rm -rf "${engine:?}/$1"
}
