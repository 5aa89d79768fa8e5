# One image for every role: PARLEY_ROLE says which. Settings come from the environment, see docs/settings.md.

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Neither the compiler nor the tests; and no package runs a script of its own.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production \
    PARLEY_DATA=/data \
    PARLEY_HTTP_PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE ./
COPY scripts/before-start.mjs ./scripts/
COPY src ./src
COPY personas ./personas
# A new volume takes its owner from here.
RUN mkdir /data && chown node:node /data
USER node
# The probes listen on the container's own loopback.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PARLEY_HTTP_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Half of the memory that a process would take, for a little more work of the collector.
CMD ["node", "--max-semi-space-size=16", "--import", "./scripts/before-start.mjs", "src/main.ts"]
