# The images of a site: the api with the workers, the pages, and the fake bank. Environment variables configure them (docs/CONFIGURATION.md).
#
#   docker build --tag guildhall:0.4.0 .
#   docker build --tag guildhall-site:0.4.0 --target site .
#   docker build --tag guildhall-sandbox:0.4.0 --target sandbox .

FROM rust:1.95-slim-bookworm AS build
# It writes the list of the dependencies into the binaries. Scanners read it there, and `rust-audit-info FILE` prints it.
RUN cargo install --locked cargo-auditable --version 0.7.7
WORKDIR /src
COPY . .
# The caches keep the compiled dependencies for the next build. cargo compares the times of files, and a file that was changed during
# the last build looks older than its result: hence touch. .sqlx/ replaces the database (see .cargo/config.toml).
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    find api common tests workers migrations -exec touch {} + \
    && cargo auditable build --release --locked -p guildhall-api -p guildhall-workers -p guildhall-sandbox \
    && mkdir /binaries \
    && cp target/release/guildhall-api target/release/guildhall-workers target/release/guildhall-sandbox /binaries \
    && strip /binaries/*
# The libraries that the binaries load, and the certificates by which they know the bank.
RUN mkdir -p /libraries/etc/ssl/certs \
    && cp /etc/ssl/certs/ca-certificates.crt /libraries/etc/ssl/certs \
    && ldd /binaries/* | grep -o '/lib[^ ]*' | sort -u | xargs cp --dereference --parents --target-directory /libraries

FROM node:20-trixie-slim AS pages
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY docs/openapi.json /src/docs/
COPY web .
ARG GUILDHALL_SITE_NAME=Guildhall
RUN npm run generate && npm run build

FROM caddy:2.6 AS caddy
# The program of the official image has the capability to listen on ports below 1024. A container without capabilities cannot start such
# a program. cp does not copy the capability. That program loads no libraries; the one of a distribution may.
RUN mkdir -p /program/bin && cp /usr/bin/caddy /program/bin \
    && ldd /usr/bin/caddy 2>/dev/null | grep -o '/lib[^ ]*' | sort -u | xargs -r cp -L --parents -t /program

# The pages and the API on one origin.
FROM scratch AS site
COPY --from=caddy /program /
COPY --from=pages /src/web/dist /var/www/guildhall
COPY deploy/container.caddy deploy/site.caddy /etc/caddy/
USER 10001:10001
ENV HOME=/tmp PATH=/bin
LABEL org.opencontainers.image.title="guildhall-site" \
      org.opencontainers.image.description="The pages of a game server's community website" \
      org.opencontainers.image.version="0.4.0" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
EXPOSE 8080
CMD ["caddy", "run", "--config", "/etc/caddy/container.caddy", "--adapter", "caddyfile"]

FROM scratch AS base
COPY --from=build /libraries /
USER 10001:10001
ENV PATH=/bin
LABEL org.opencontainers.image.version="0.4.0" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"

# The fake bank, for tests.
FROM base AS sandbox
COPY --from=build /binaries/guildhall-sandbox /bin/
LABEL org.opencontainers.image.title="guildhall-sandbox" \
      org.opencontainers.image.description="A fake bank for Guildhall"
EXPOSE 8082
CMD ["guildhall-sandbox"]

FROM base
COPY --from=build /binaries/guildhall-api /binaries/guildhall-workers /bin/
LABEL org.opencontainers.image.title="guildhall" \
      org.opencontainers.image.description="The backend of a game server's community website"
EXPOSE 8080 8081 8083
CMD ["guildhall-api", "serve"]
