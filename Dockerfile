# syntax=docker/dockerfile:1
# docker build --tag wflint . && docker run --rm --volume "$PWD:/work:ro" wflint
FROM rust:1.95-alpine3.22 AS build
# hadolint ignore=DL3018
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked

FROM alpine:3.22
# `--since` reads the repository with git, whoever owns it.
# hadolint ignore=DL3018
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY --from=build /src/target/dist/wflint /usr/local/bin/wflint
COPY LICENSE-APACHE LICENSE-MIT /usr/share/licenses/wflint/
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["wflint"]
