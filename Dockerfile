# One image for the API and the workers; docker-compose.yml shows how each is started. It holds no rule files.
FROM node:24.19.0-bookworm-slim@sha256:3638d9a6fe4030bd716be989438248074489337ba3275657f93595428be4fc03 AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
COPY toolchain ./toolchain
COPY console/package.json ./console/package.json
COPY console/icons ./console/icons
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY workers ./workers
COPY docs/guide.md ./docs/guide.md
COPY docs/page ./docs/page
COPY clients/typescript/src ./clients/typescript/src
COPY console ./console
RUN npm run build

FROM base AS dependencies
RUN npm ci --omit=dev --workspaces=false --no-audit --no-fund

FROM base
# The commands of npm write only below /tmp.
ENV NODE_ENV=production HOST=0.0.0.0 RULES_DIR=/app/rules NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Where a folder with rule files is mounted.
RUN mkdir rules
# The service writes nothing below /app: all data is in MongoDB and Redis.
USER node
EXPOSE 3000 3001
CMD ["node", "--expose-gc", "--max-semi-space-size=64", "dist/src/server/main.js"]
