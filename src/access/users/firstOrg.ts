import assert from 'node:assert';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { isDuplicateKey, withRetries } from '#base/db/transaction';
import { ConfigError } from '#platform/infrastructure/config';
import { type Org, orgResource } from '#records/users/org';
import { createOrg } from './createOrg';

/** The settings of the first org. */
export interface FirstOrg {
  ORG: string;
  ADMIN_USERNAME: string;
  ADMIN_PASSWORD?: string | undefined;
}

/**
 * Returns the org with the code `ORG`. When the database has no org at all, it first makes that org and its first
 * admin.
 * @throws ConfigError when the org must be made but `ADMIN_PASSWORD` is not set, or when only other orgs exist
 */
export async function firstOrg(db: Connection, config: FirstOrg, clock: Clock): Promise<Org> {
  return withRetries(async () => (await existingOrg(db, config.ORG)) ?? makeOrg(db, config, clock.now()), {
    now: () => clock.now().getTime(),
  });
}

async function existingOrg(db: Connection, code: string): Promise<Org | undefined> {
  const orgs = collectionOf(db, orgResource);
  const found = await orgs.findOne({ code });
  if (found) return found;
  if ((await orgs.findOne()) === null) return undefined;
  throw new ConfigError([`ORG: there is no org "${code}" in this database; npm run orgs -- create makes one`]);
}

async function makeOrg(db: Connection, config: FirstOrg, now: Date): Promise<Org> {
  const { ORG, ADMIN_USERNAME, ADMIN_PASSWORD } = config;
  if (ADMIN_PASSWORD === undefined) {
    throw new ConfigError(['ADMIN_PASSWORD is required when the database is empty: the password of the first user']);
  }
  const admin = { username: ADMIN_USERNAME, password: ADMIN_PASSWORD };
  try {
    return await createOrg(db, { code: ORG, admin }, now);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another process that started at the same time has made the org.
    const made = await existingOrg(db, ORG);
    assert(made, 'the org whose key is taken exists');
    return made;
  }
}
