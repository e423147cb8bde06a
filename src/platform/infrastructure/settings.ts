import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '#base/schema/atoms';
import { oidcSettings } from './oidcSettings';

const duration = (fallback: string, description: string) =>
  Type.String({ pattern: '^[1-9]\\d{0,5} (second|minute|hour)s?$', default: fallback, description });

const apiSettings = {
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port of the API; 0 takes any free one',
  }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address the API listens on' }),
  PEER_HOST: Type.String({
    minLength: 1,
    maxLength: 253,
    default: '127.0.0.1',
    description:
      'Address at which other API processes reach this one; hostname: that of the machine; none: they do not',
  }),
  PEER_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: 'Port for other API processes; 0 takes any free one',
  }),
  MAX_CONNECTIONS: Type.Integer({
    minimum: 16,
    maximum: 100_000,
    default: 4096,
    description: 'Most open connections to the API; near it, the connections idle longest are closed',
  }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description: 'Proxies in front that add to X-Forwarded-For; 0: none, the connection has the client address',
  }),
  BODY_LIMIT: Type.String({
    pattern: '^([1-9]\\d{0,6}|[1-9]\\d{0,3}kb|([1-9]|1[0-6])mb)$',
    default: '1mb',
    description: 'Largest request body, at most 16mb',
  }),
  IMPORT_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: 2048,
    default: 2048,
    description: 'Largest file of an import in MB, without the compression in which it is sent',
  }),
  RATE_LIMIT: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Requests per minute and user, or API key without its own limit; 0: unlimited',
  }),
  CORS_ORIGINS: Type.String({ default: '', description: 'Origins that browsers may call from, comma-separated' }),
};

const storesSettings = {
  MONGODB_URI: Type.Optional(
    Type.String({ pattern: '^mongodb(\\+srv)?://.+', description: 'Replica set or sharded cluster; unset: embedded' }),
  ),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://.+', description: 'Redis server; unset: embedded' })),
  REDIS_PREFIX: Type.String({
    pattern: '^(?:[\\w-]{1,40}|\\{[\\w-]{1,40}\\})$',
    default: 'loyalty',
    description: 'Prefix of the keys in Redis; in braces, such as {loyalty}, for a cluster',
  }),
  MONGODB_MAX_POOL: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 50,
    description: 'Most connections to MongoDB per process',
  }),
  MONGOD_BINARY: Type.Optional(
    Type.String({ minLength: 1, description: 'mongod to embed; unset: from PATH, the cache, or fetched' }),
  ),
  REDIS_SERVER_BINARY: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'valkey-server or redis-server to embed; unset: from PATH, the cache, or fetched',
    }),
  ),
  DATA_DIR: Type.String({
    minLength: 1,
    default: './data',
    description: 'Data, pid files and secrets of embedded services',
  }),
  XDG_CACHE_HOME: Type.Optional(Type.String({ description: 'Where downloaded servers are kept; default ~/.cache' })),
  PATH: Type.String({ default: '', description: 'Searched for mongod, valkey-server and redis-server' }),
};

const accessSettings = {
  ORG: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', default: 'demo', description: 'Code of the first org' }),
  ADMIN_USERNAME: Type.String({ minLength: 1, maxLength: 100, default: 'admin', description: 'First user' }),
  ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 200,
      description: "First user's password; embedded: generated once, else required on an empty database",
    }),
  ),
  JWT_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description: 'HS256 key of tokens, at least 32 bytes; embedded: generated once, else required',
    }),
  ),
  TOKEN_TTL: Type.Integer({ minimum: 60, maximum: 2_592_000, default: 3600, description: 'Seconds a token lives' }),
  DEMO: Type.Optional(
    oneOf(['on', 'off'], {
      description: 'on or off: fill an empty database with the demo program; on when embedded, else off',
    }),
  ),
};

const rulesSettings = {
  RULES_DIR: Type.String({
    minLength: 1,
    default: './rules',
    description: 'Folder of the rule files, with a folder for each program',
  }),
  RULES_ENGINE: oneOf(['compiled', 'reference'], {
    default: 'compiled',
    description: 'Evaluator of rules; reference: json-rules-engine',
  }),
  RULES_SHADOW: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Share of activities, 0 to 1, whose rules are checked against json-rules-engine',
  }),
  RULES_APPROVAL: oneOf(['on', 'off'], {
    default: 'off',
    description: 'on: rules that are published or scheduled by the API wait until a second user approves them',
  }),
};

const workSettings = {
  WORKER_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3001,
    description: 'Port of the health and metrics of a worker; 0 takes any free one',
  }),
  WORKER_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 256,
    description: 'Most submissions that one worker process works on at once',
  }),
  SCHEDULE_DAYCHANGE: duration('1 minute', 'How often escrow, tiers and expiry are swept'),
  SCHEDULE_AGGREGATES: duration('10 seconds', 'How often aggregates are rolled up'),
  EXPIRING_DAYS: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 30,
    description: 'Days before their expiry at which points get an event points.expiring; 0: none',
  }),
};

const retentionSettings = {
  RETAIN_EVENTS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'Days that events are kept; 0: for ever',
  }),
  RETAIN_HISTORIES: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 0,
    not: { exclusiveMinimum: 0, exclusiveMaximum: 90 },
    description: 'Days that activity histories are kept, at least 90; 0: for ever',
  }),
  RETAIN_AUDIT: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 0,
    not: { exclusiveMinimum: 0, exclusiveMaximum: 30 },
    description: 'Days that entries of the audit log are kept, at least 30; 0: for ever',
  }),
  RETAIN_KEYS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Days that keys of the header Idempotency-Key are kept',
  }),
  RETAIN_JOBS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Days that runs of jobs are kept that did something; idle runs: a day',
  }),
  RETAIN_WEBHOOKS: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 30,
    description: 'Days that finished deliveries of webhooks are kept; 0: for ever',
  }),
};

const webhooksSettings = {
  WEBHOOK_PRIVATE: oneOf(['on', 'off'], {
    default: 'off',
    description: 'on: webhooks may be in private networks, without https and at any port',
  }),
  WEBHOOK_KEY: Type.Optional(
    Type.String({ minLength: 32, description: 'Key of the secrets of webhooks, at least 32 bytes; unset: JWT_SECRET' }),
  ),
};

const observationSettings = {
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Lowest level that is logged',
  }),
  LOG_LINES_MAX: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 200,
    description: 'Log lines a second of requests, and of queued activities, that succeeded; 0: all',
  }),
  METRICS_TOKEN: Type.Optional(
    Type.String({ minLength: 16, description: 'Bearer token of GET /metrics; without it only from loopback' }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      maxLength: 500,
      description: 'Base URL of the receiver of traces (OTLP over HTTP); unset: no traces',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({
    minLength: 1,
    maxLength: 100,
    default: 'loyalty',
    description: 'Name of the service in traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Share, 0 to 1, of the traces that begin here',
  }),
};

/** Every setting of the service with its default, by subject. `docs/settings.md` is made from this table. */
export const settingGroups = [
  { title: 'The API', settings: apiSettings },
  { title: 'Stores and folders', settings: storesSettings },
  { title: 'Orgs, users and tokens', settings: accessSettings },
  { title: 'Rules', settings: rulesSettings },
  { title: 'Sign-in at an OpenID provider', settings: oidcSettings },
  { title: 'Workers and timers', settings: workSettings },
  { title: 'How long data is kept', settings: retentionSettings },
  { title: 'Webhooks', settings: webhooksSettings },
  { title: 'Logs, metrics and traces', settings: observationSettings },
];

/** Every setting of the service. */
export const settings = Type.Object({
  ...apiSettings,
  ...storesSettings,
  ...accessSettings,
  ...rulesSettings,
  ...oidcSettings,
  ...workSettings,
  ...retentionSettings,
  ...webhooksSettings,
  ...observationSettings,
});

/** The settings as they are read from the environment, with their defaults. */
export type Settings = Static<typeof settings>;

/** Settings that are secret. `<name>_FILE` names a file that has the value instead. Errors do not repeat a value. */
export const secretSettings = [
  'MONGODB_URI',
  'REDIS_URL',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'WEBHOOK_KEY',
] as const;
