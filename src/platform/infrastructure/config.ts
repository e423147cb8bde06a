import os from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { envSchema } from 'env-schema';
import { hourMs } from '#base/common/durations';
import { roleNames } from '#records/users/permissions';
import { type OidcConfig, readOidc } from './oidcSettings';
import { readSecretFiles, type SecretsRead } from './secretFiles';
import { type Settings, secretSettings, settings } from './settings';

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

/**
 * Reads the configuration, with the secrets that are in files. No other function of the service reads the environment.
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

function validate({ environment, faults: fileFaults }: SecretsRead): Settings {
  try {
    const values = envSchema<Settings>({ schema: settings, data: environment, env: false, dotenv: false, ajv });
    if (fileFaults.length === 0) return values;
  } catch (error) {
    const faults = (error as { errors?: { instancePath: string; message?: string; params: object }[] }).errors;
    if (!faults) throw error;
    const lines = faults.map(({ instancePath, message }) =>
      line(instancePath.slice(1) as keyof Settings, message ?? 'is invalid', environment),
    );
    throw new ConfigError([...fileFaults, ...lines]);
  }
  throw new ConfigError(fileFaults);
}

function line(name: keyof Settings, message: string, environment: Record<string, string>): string {
  const isSecret = (secretSettings as readonly string[]).includes(name);
  const seen = isSecret ? '' : ` (it is ${JSON.stringify(environment[name])})`;
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

const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: hourMs };

function milliseconds(duration: string): number {
  const [amount, unit = ''] = duration.split(' ');
  return Number(amount) * (unitMs[unit.replace(/s$/, '')] ?? 1000);
}
