import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { collectionOf } from '#base/db/collections';
import { type Org, orgResource } from '#records/users/org';
import { orgsIn } from './orgsIn';
import { orgOfPath, type RuleFolders } from './ruleFolders';
import { watchFiles } from './watchFiles';

interface ReloadOptions extends RuleFolders {
  db: Connection;
  log: Logger;
}

/** Loads the rule files of an org. With `changedOnly`, programs that are as at the last load from here are left out. */
type Load = (org: ObjectId, changedOnly: boolean) => Promise<unknown>;

/**
 * Loads the programs of every org with files that changed since the last load from here. So a restart without a change
 * does not replace newer rules that another host has published. Then watches the files and loads on every change. A
 * failed load is logged and never ends the process.
 * @returns a function that ends the watch
 */
export async function startReload(options: ReloadOptions, load: Load): Promise<() => Promise<void>> {
  const { rulesDir, orgCode, log } = options;
  const reload = (codes: Iterable<string>) => reloadOrgs(options, (org) => load(org, false), codes);
  // The watch begins before the first read, so that no change is missed in between.
  const watch = await watchFiles(rulesDir, {
    changed: (paths) => void reload(new Set([...paths].map((file) => orgOfPath(options, file)))),
    failed: (error) => log.warn({ error: errorSummary(error) }, `rule files may change unseen: ${advice}`),
  });
  try {
    await reloadOrgs(options, (org) => load(org, true), [orgCode, ...(await orgsIn(rulesDir))]);
  } catch (error) {
    await watch.close();
    throw error;
  }
  return () => watch.close();
}

const advice = 'POST /api/v1/refreshcache?entity=Rule loads them';

/** Publishes the rules of these orgs. Logs a warning for the folder of an org that does not exist. */
async function reloadOrgs(
  { db, log }: ReloadOptions,
  publish: (org: ObjectId) => Promise<unknown>,
  codes: Iterable<string>,
): Promise<void> {
  for (const code of codes) {
    try {
      const org = await findOrg(db, code);
      if (org) await publish(org._id);
      else log.warn(`rule files of @${code} are not read: there is no such org`);
    } catch (error) {
      log.error({ org: code, err: error }, `the rule files could not be loaded: ${advice}`);
    }
  }
}

async function findOrg(db: Connection, code: string): Promise<Org | null> {
  return collectionOf(db, orgResource).findOne({ code });
}

function errorSummary(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
