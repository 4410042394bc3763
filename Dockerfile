# The service in a container, from a release archive: npm run release, then
#   docker build --build-arg ARCHIVE=dist/leadmarket-0.1.0-linux-x64.tar.gz --tag leadmarket:0.1.0 .
# The base needs glibc 2.28, libstdc++ and a shell: Debian, Ubuntu and Red Hat have them, Alpine has not.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS unpacked
ARG ARCHIVE
# A local archive is unpacked by ADD.
ADD ${ARCHIVE} /unpacked/
RUN mv /unpacked/leadmarket-* /leadmarket && mkdir /empty

FROM ${BASE}
COPY --from=unpacked /leadmarket /opt/leadmarket
# Volumes take over the owner. /data is needed with the embedded database only, /backups by the job of compose.yaml.
COPY --from=unpacked --chown=10001:10001 /empty /data
COPY --from=unpacked --chown=10001:10001 /empty /backups
# No demo, because HOST is not loopback. STATUS_PORT has health and metrics in every role; STATUS_HOST opens it beyond the container.
ENV HOST=0.0.0.0 PORT=3000 STATUS_PORT=3001 DATA_DIR=/data DEMO=off NODE_COMPILE_CACHE=/tmp/leadmarket-compiled
USER 10001:10001
WORKDIR /opt/leadmarket
EXPOSE 3000 3001
# Whether the process responds. Readiness, which also needs the database, is for load balancers: a restart would not bring a database back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/opt/leadmarket/ops/container-health.sh"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/leadmarket/bin/leadmarket"]
CMD ["serve"]
