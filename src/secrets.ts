import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { ConfigError } from './config';
import { record } from './schema/atoms';
import { compileParse } from './schema/parse';

const shape = record({
  jwtSecret: Type.String({ minLength: 32 }),
  adminPassword: Type.String({ minLength: 10 }),
});

/** The secrets of an embedded service: generated once, kept in its data folder, readable by its owner alone. */
export interface Secrets {
  jwtSecret: string;
  adminPassword: string;
}

const parse = compileParse(shape);

/**
 * Reads the secrets of a data folder; makes them at the first start.
 * @throws ConfigError when the file is damaged
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  if (!existsSync(file)) writeSecrets(dataDir, file);
  try {
    return parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new ConfigError([`DATA_DIR: ${file} is damaged; delete it to make new secrets (every token then ends)`]);
  }
}

/** Written beside and renamed, so that a crash leaves no half of it. */
function writeSecrets(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true });
  const secrets: Secrets = {
    jwtSecret: randomBytes(32).toString('base64url'),
    adminPassword: randomBytes(12).toString('base64url'),
  };
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}
