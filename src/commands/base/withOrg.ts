import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { Config } from '#platform/infrastructure/config';
import { type Org, orgResource } from '#records/users/org';
import { openServices, type Services } from '#server/services/services';
import { apiConfig } from './withApi';
import { CommandError } from './withDatabase';

/**
 * Opens the services for one command of an org, and closes them afterwards.
 * @param code the code of the org; by default that of the settings
 * @throws CommandError when no service runs and none is configured, or there is no such org
 */
export async function withOrg<T>(
  config: Config,
  code: string | undefined,
  work: (opened: { services: Services; org: Org }) => Promise<T>,
): Promise<T> {
  const services = await openServices(apiConfig(config));
  try {
    return await work({ services, org: await orgNamed(services.db, code ?? config.ORG) });
  } finally {
    await services.close();
  }
}

/** The org with this code. @throws CommandError when there is none */
export async function orgNamed(db: Connection, code: string): Promise<Org> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) throw new CommandError(`There is no org ${code}`);
  return org;
}
