# syntax=docker/dockerfile:1
# One image with both binaries. Environment variables configure them: see docs/CONFIGURATION.md.

ARG RUST=1.95
FROM rust:${RUST}-slim-bookworm AS chef
RUN cargo install cargo-chef --locked --version 0.1.78
WORKDIR /src

# The recipe contains only the dependencies. A change of our own code keeps the layer that compiles them.
FROM chef AS plan
COPY . .
RUN cargo chef prepare --recipe-path recipe.json

FROM chef AS build
COPY --from=plan /src/recipe.json recipe.json
RUN cargo chef cook --release --locked --recipe-path recipe.json --package guildhall-api --package guildhall-workers
COPY . .
# .sqlx/ replaces the database at build time (see .cargo/config.toml).
RUN cargo build --release --locked --package guildhall-api --package guildhall-workers

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin guildhall
COPY --from=build /src/target/release/guildhall-api /src/target/release/guildhall-workers /usr/local/bin/
USER 10001:10001
EXPOSE 8080 8081
CMD ["guildhall-api", "serve"]
