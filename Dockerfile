# The bot and its demo as an image for amd64 and arm64: the locked packages in a virtual environment, without build tools.
# The base is pinned by its digest, which is that of the image for all machines.
#
#   docker run --rm --publish 127.0.0.1:8000:8000 IMAGE demo    the demo, at http://127.0.0.1:8000/
#   docker run --rm --env-file .env --volume escoba:/data IMAGE    the bot

FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285 AS packages
COPY requirements/run.lock /tmp/run.lock
RUN python -m venv /opt/escoba \
    && /opt/escoba/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --only-binary :all: --require-hashes --no-compile --requirement /tmp/run.lock \
    && /opt/escoba/bin/python -m pip uninstall --yes --quiet pip \
    # 31 MB of fonts for a preview of SimCord's own, which the demo doesn't use, and 10 MB of packages' own tests
    && cd /opt/escoba/lib/python*/site-packages \
    && rm -r simcord/preview/static \
    && find . -type d -name tests -prune -exec rm -r {} + \
    && /opt/escoba/bin/python -OO -m compileall -q .


FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285
# The ids are fixed so that a mounted folder can be given the right owner on the host.
RUN groupadd --gid 10001 escoba \
    && useradd --uid 10001 --gid escoba --no-create-home --home-dir /data --shell /usr/sbin/nologin escoba \
    && install --directory --owner escoba --group escoba --mode 0750 /data

COPY --from=packages /opt/escoba /opt/escoba
WORKDIR /app
COPY .env.example .
COPY bot/ bot/
COPY cogs/ cogs/

# Without docstrings, and with one arena for all threads, the bot takes 9 MB less.
ENV PATH=/opt/escoba/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONOPTIMIZE=2 \
    MALLOC_ARENA_MAX=1 \
    ESCOBA_DATABASE=/data/escoba.sqlite3 \
    ESCOBA_DEMO_DATABASE=/data/demo.sqlite3 \
    ESCOBA_DEMO_HOST=0.0.0.0 \
    ESCOBA_DEMO_PORT=8000
# A checkout may be readable by its owner only. The base has nothing compiled: the last command writes what the bot imports.
RUN chmod -R a+rX . && python -m bot.platform.language.compiled \
    && python -m compileall -q bot cogs && python -c "import bot.process.app, bot.demo.server"
ENV PYTHONDONTWRITEBYTECODE=1

USER 10001:10001
VOLUME ["/data"]
STOPSIGNAL SIGTERM
# Where the image comes from, as the workflow says. They change with every commit, so they are last.
ARG VERSION
ARG SOURCE
ARG REVISION
LABEL org.opencontainers.image.title="Escoba for Discord" \
      org.opencontainers.image.description="The Spanish card game Escoba for the channels of a Discord server" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.source=$SOURCE \
      org.opencontainers.image.revision=$REVISION

# The bot touches a file while it is connected to Discord; `health` fails if that file is too old.
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s --retries=2 CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
