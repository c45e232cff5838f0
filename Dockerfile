# The bot as an image: the locked packages in a virtual environment, without build tools. The base is pinned by its digest.

FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285 AS packages
COPY requirements/run.lock /tmp/run.lock
RUN python -m venv /opt/escoba \
    && /opt/escoba/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --only-binary :all: --require-hashes --requirement /tmp/run.lock \
    && /opt/escoba/bin/python -m pip uninstall --yes --quiet pip


FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285
LABEL org.opencontainers.image.title="Escoba for Discord" \
      org.opencontainers.image.description="The Spanish card game Escoba for the channels of a Discord server" \
      org.opencontainers.image.licenses="MIT"

# The ids are fixed so that a mounted folder can be given the right owner on the host.
RUN groupadd --gid 10001 escoba \
    && useradd --uid 10001 --gid escoba --no-create-home --home-dir /data --shell /usr/sbin/nologin escoba \
    && install --directory --owner escoba --group escoba --mode 0750 /data

COPY --from=packages /opt/escoba /opt/escoba
WORKDIR /app
COPY bot/ bot/
COPY cogs/ cogs/

ENV PATH=/opt/escoba/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ESCOBA_DATABASE=/data/escoba.sqlite3
# A checkout may be readable by its owner only.
RUN chmod -R a+rX bot cogs && python -m compileall -q bot cogs
ENV PYTHONDONTWRITEBYTECODE=1

USER 10001:10001
VOLUME ["/data"]
STOPSIGNAL SIGTERM
# The bot touches a file while it is connected to Discord; `health` fails if that file is too old.
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s --retries=2 CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
