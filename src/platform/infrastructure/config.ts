import os from 'node:os';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { envSchema } from 'env-schema';
import { oneOf } from '#base/schema/atoms';
import { roleNames } from '#records/users/permissions';
import { type OidcConfig, oidcSettings, readOidc } from './oidcSettings';
import { readSecretFiles, type SecretsRead } from './secretFiles';

const duration = (fallback: string, description: string) =>
  Type.String({ pattern: '^[1-9]\\d{0,5} (second|minute|hour)s?$', default: fallback, description });

/** Every setting of the service with its default. A test compares the table in the README with this schema. */
export const settings = Type.Object({
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port of the API; 0 takes any free one',
  }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address the API listens on' }),
  MAX_CONNECTIONS: Type.Integer({
    minimum: 16,
    maximum: 100_000,
    default: 4096,
    description: 'Most open connections to the API; near it, the connections idle longest are closed',
  }),
  MONGODB_URI: Type.Optional(
    Type.String({ pattern: '^mongodb(\\+srv)?://.+', description: 'Replica set or sharded cluster; unset: embedded' }),
  ),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://.+', description: 'Redis server; unset: embedded' })),
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
    Type.String({ minLength: 1, description: 'redis-server to embed; unset: from PATH, the cache, or fetched' }),
  ),
  XDG_CACHE_HOME: Type.Optional(Type.String({ description: 'Where downloaded servers are kept; default ~/.cache' })),
  PATH: Type.String({ default: '', description: 'Searched for mongod and redis-server' }),
  DATA_DIR: Type.String({
    minLength: 1,
    default: './data',
    description: 'Data, pid files and secrets of embedded services',
  }),
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
  DEMO: Type.Optional(
    oneOf(['on', 'off'], {
      description: 'on or off: fill an empty database with the demo program; on when embedded, else off',
    }),
  ),
  JWT_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description: 'HS256 key of tokens, at least 32 bytes; embedded: generated once, else required',
    }),
  ),
  TOKEN_TTL: Type.Integer({ minimum: 60, maximum: 2_592_000, default: 3600, description: 'Seconds a token lives' }),
  ORG: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', default: 'demo', description: 'Code of the first org' }),
  ADMIN_USERNAME: Type.String({ minLength: 1, maxLength: 100, default: 'admin', description: 'First user' }),
  ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 200,
      description: "First user's password; embedded: generated once, else required on an empty database",
    }),
  ),
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
  RATE_LIMIT: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Requests per minute and user, or API key without its own limit; 0: unlimited',
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
  CORS_ORIGINS: Type.String({ default: '', description: 'Origins that browsers may call from, comma-separated' }),
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
  RETAIN_EVENTS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'Days that events are kept; 0: for ever',
  }),
  RETAIN_HISTORIES: Type.Integer({
    ...{ minimum: 0, maximum: 36_500, default: 0, not: { exclusiveMinimum: 0, exclusiveMaximum: 90 } },
    description: 'Days that activity histories are kept, at least 90; 0: for ever',
  }),
  RETAIN_AUDIT: Type.Integer({
    ...{ minimum: 0, maximum: 36_500, default: 0, not: { exclusiveMinimum: 0, exclusiveMaximum: 30 } },
    description: 'Days that entries of the audit log are kept, at least 30; 0: for ever',
  }),
  RETAIN_KEYS: Type.Integer({
    ...{ minimum: 1, maximum: 3650, default: 30 },
    description: 'Days that keys of the header Idempotency-Key are kept',
  }),
  RETAIN_JOBS: Type.Integer({
    ...{ minimum: 1, maximum: 3650, default: 30 },
    description: 'Days that runs of jobs are kept that did something; idle runs: a day',
  }),
  EXPIRING_DAYS: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 30,
    description: 'Days before their expiry at which points get an event points.expiring; 0: none',
  }),
  SCHEDULE_DAYCHANGE: duration('1 minute', 'How often escrow, tiers and expiry are swept'),
  SCHEDULE_AGGREGATES: duration('10 seconds', 'How often aggregates are rolled up'),
  ...oidcSettings,
  WEBHOOK_PRIVATE: oneOf(['on', 'off'], {
    default: 'off',
    description: 'on: webhooks may be in private networks, without https and at any port',
  }),
  WEBHOOK_KEY: Type.Optional(
    Type.String({ minLength: 32, description: 'Key of the secrets of webhooks, at least 32 bytes; unset: JWT_SECRET' }),
  ),
  RETAIN_WEBHOOKS: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 30,
    description: 'Days that finished deliveries of webhooks are kept; 0: for ever',
  }),
  REDIS_PREFIX: Type.String({
    pattern: '^[\\w-]{1,40}$',
    default: 'loyalty',
    description: 'Prefix of the keys in Redis',
  }),
});

type Settings = Static<typeof settings>;

/** The validated configuration of a process. With embedded services, secrets may still be missing. */
export interface Config
  extends Omit<Settings, 'BODY_LIMIT' | 'SCHEDULE_DAYCHANGE' | 'SCHEDULE_AGGREGATES' | 'CORS_ORIGINS'> {
  bodyMaxBytes: number;
  dayChangeEveryMs: number;
  aggregatesEveryMs: number;
  corsOrigins: string[];
  /** Absolute path of the folder with downloaded server binaries. */
  cacheDir: string;
  dataDir: string;
  rulesDir: string;
  /** The files that have secrets. */
  secretFiles: string[];
  /** The sign-in of staff at an OpenID provider; absent: there is none. */
  oidc?: OidcConfig;
}

/** Thrown when settings are invalid or missing; `lines` has one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly lines: string[]) {
    super(lines.join('\n'));
  }
}

/** Settings that are secret. `<name>_FILE` names a file that has the value instead. Errors do not repeat a value. */
export const secretSettings = [
  ...(['MONGODB_URI', 'REDIS_URL', 'JWT_SECRET', 'ADMIN_PASSWORD', 'METRICS_TOKEN'] as const),
  'OIDC_CLIENT_SECRET',
  'WEBHOOK_KEY',
] as const;

/**
 * Reads the configuration, with the secrets that stand in files. No other function of the service reads the
 * environment.
 * @throws ConfigError with a line for every invalid setting and every file of a secret that cannot be used
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const values = validate(readSecretFiles(withoutEmpty(environment), secretSettings));
  const { BODY_LIMIT, SCHEDULE_DAYCHANGE, SCHEDULE_AGGREGATES, CORS_ORIGINS, ...rest } = values;
  const { oidc, faults } = readOidc(values, roleNames);
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...rest,
    ...(oidc ? { oidc } : {}),
    bodyMaxBytes: bytes(BODY_LIMIT),
    dayChangeEveryMs: milliseconds(SCHEDULE_DAYCHANGE),
    aggregatesEveryMs: milliseconds(SCHEDULE_AGGREGATES),
    corsOrigins: CORS_ORIGINS.split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
    cacheDir: path.join(rest.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'loyalty-service'),
    dataDir: path.resolve(rest.DATA_DIR),
    rulesDir: path.resolve(rest.RULES_DIR),
    secretFiles: secretSettings.flatMap((name) => environment[`${name}_FILE`] || []),
  };
}

const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true, strict: false });

function validate({ given, faults: fileFaults }: SecretsRead): Settings {
  try {
    const values = envSchema<Settings>({ schema: settings, data: given, env: false, dotenv: false, ajv });
    if (fileFaults.length === 0) return values;
  } catch (error) {
    const faults = (error as { errors?: { instancePath: string; message?: string; params: object }[] }).errors;
    if (!faults) throw error;
    const lines = faults.map(({ instancePath, message }) =>
      line(instancePath.slice(1) as keyof Settings, message ?? 'is invalid', given),
    );
    throw new ConfigError([...fileFaults, ...lines]);
  }
  throw new ConfigError(fileFaults);
}

function line(name: keyof Settings, message: string, given: Record<string, string>): string {
  const isSecret = (secretSettings as readonly string[]).includes(name);
  const seen = isSecret ? '' : ` (it is ${JSON.stringify(given[name])})`;
  return `${name} ${message}${seen}: ${settings.properties[name]?.description ?? ''}`;
}

function withoutEmpty(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

function bytes(limit: string): number {
  const factor = limit.endsWith('mb') ? 1_048_576 : limit.endsWith('kb') ? 1024 : 1;
  return Number.parseInt(limit, 10) * factor;
}

const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 };

function milliseconds(duration: string): number {
  const [amount, unit = ''] = duration.split(' ');
  return Number(amount) * (unitMs[unit.replace(/s$/, '')] ?? 1000);
}
