# One image for the API and the workers; docker-compose.yml shows how each is started.
FROM node:20.20.2-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY workers ./workers
RUN npm run build

FROM base AS dependencies
RUN npm ci --omit=dev --no-audit --no-fund

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 RULES_DIR=/app/rules
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY rules ./rules
# The service writes nothing below /app: all data is in MongoDB and Redis.
USER node
EXPOSE 3000
CMD ["node", "--expose-gc", "--max-semi-space-size=64", "dist/src/main.js"]
