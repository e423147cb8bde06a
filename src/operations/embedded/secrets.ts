import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { record } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { ConfigError } from '#platform/infrastructure/config';
import { writePrivate } from './dataFiles';

const shape = record({
  jwtSecret: Type.String({ minLength: 32 }),
  adminPassword: Type.String({ minLength: 10 }),
  mongodPassword: Type.String({ pattern: '^[\\w-]{32,}$' }),
  /** By this key, members of the embedded replica set recognise each other. mongod accepts only letters of base64. */
  mongodKey: Type.String({ pattern: '^[0-9a-f]{64,}$' }),
  redisPassword: Type.String({ pattern: '^[\\w-]{32,}$' }),
});

/**
 * The secrets of an embedded service. They are generated once, into a file of the data folder that only its owner may
 * read.
 */
export type Secrets = Static<typeof shape>;

const parse = compileParse(shape);

/**
 * Reads the secrets of a data folder, and makes those that are missing.
 * @throws ConfigError when the file is damaged
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const secrets = complete(before, file);
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  if (text !== before) writePrivate(file, text);
  return secrets;
}

function complete(text: string, file: string): Secrets {
  const password = (bytes: number) => randomBytes(bytes).toString('base64url');
  const made: Secrets = {
    jwtSecret: password(32),
    adminPassword: password(12),
    mongodPassword: password(32),
    mongodKey: randomBytes(48).toString('hex'),
    redisPassword: password(32),
  };
  try {
    return parse({ ...made, ...JSON.parse(text) });
  } catch {
    throw new ConfigError([`DATA_DIR: ${file} is damaged; delete it to make new secrets (every token then ends)`]);
  }
}

/**
 * Takes over secrets of another embedded service into a data folder: the key of tokens and the generated password. The
 * passwords of its own servers stay.
 * @throws ConfigError when the text is damaged
 */
export function replaceSecrets(dataDir: string, text: string): void {
  const own = loadSecrets(dataDir);
  const file = path.join(dataDir, 'secrets.json');
  const { jwtSecret, adminPassword } = complete(text, file);
  const isPresent = /"jwtSecret"/.test(text);
  if (isPresent) writePrivate(file, `${JSON.stringify({ ...own, jwtSecret, adminPassword }, null, 2)}\n`);
}
