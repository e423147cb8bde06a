import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { collectionOf } from '../../db/collections';
import { type Org, orgResource } from '../../records/users/org';
import { contentHash } from './contentHash';
import { logLoad } from './logLoad';
import { orgsIn } from './orgsIn';
import { readFiles } from './readFiles';
import { lastLoad } from './recordLoad';
import { folderOf, orgOfPath, type RuleFolders } from './ruleFolders';
import { watchFiles } from './watchFiles';

interface ReloadOptions extends RuleFolders {
  db: Connection;
  log: Logger;
}

type Publish = (org: ObjectId) => Promise<unknown>;

/**
 * Loads the orgs whose files changed since the last load from here. Then watches the files and loads on every change.
 * A failed load is logged and never ends the process.
 * @returns a function that ends the watch
 */
export async function startReload(options: ReloadOptions, publish: Publish): Promise<() => Promise<void>> {
  const { rulesDir, log } = options;
  const reload = (codes: Iterable<string>) => reloadOrgs(options, publish, codes);
  // The watch begins before the first read, so that no change is missed in between.
  const watch = await watchFiles(rulesDir, {
    changed: (paths) => void reload(new Set([...paths].map((file) => orgOfPath(options, file)))),
    failed: (error) => log.warn({ error: nameOf(error) }, `rule files may change unseen: ${advice}`),
  });
  try {
    await startOrgs(options, publish);
  } catch (error) {
    await watch.close();
    throw error;
  }
  return () => watch.close();
}

const advice = 'POST /api/v1/refreshcache?entity=Rule loads them';

/** Publishes the rules of these orgs. Logs a warning for the folder of an org that does not exist. */
async function reloadOrgs({ db, log }: ReloadOptions, publish: Publish, codes: Iterable<string>): Promise<void> {
  for (const code of codes) {
    try {
      const org = await findOrg(db, code);
      if (org) await publish(org._id);
      else log.warn(`rule files of @${code} are not read: there is no such org`);
    } catch (error) {
      log.error({ org: code, error: nameOf(error) }, `the rule files could not be loaded: ${advice}`);
    }
  }
}

async function startOrgs(options: ReloadOptions, publish: Publish): Promise<void> {
  const codes = [options.orgCode, ...(await orgsIn(options.rulesDir))];
  const changed: string[] = [];
  for (const code of codes) {
    if (await needsLoad(options, code)) changed.push(code);
  }
  await reloadOrgs(options, publish, changed);
}

/**
 * Whether a start must load: nothing is published, the last load from here was refused, or the files have changed since
 * that load. Without a change of its files, a restart does not replace newer rules that another host has published.
 */
async function needsLoad(options: ReloadOptions, code: string): Promise<boolean> {
  const org = await findOrg(options.db, code);
  if (!org || org.ruleSetVersion === undefined) return true;
  const { folder, place } = folderOf(options, code);
  const load = await lastLoad(options.db, org._id, place);
  if (load && load.faults.length > 0) return true;
  const { files, faults } = await readFiles(folder);
  if (files.length + faults.length === 0) {
    logLoad(options.log, { folder }, { kind: 'empty', version: org.ruleSetVersion, errors: [], warnings: [] });
    return false;
  }
  return faults.length > 0 || contentHash(files) !== load?.hash;
}

async function findOrg(db: Connection, code: string): Promise<Org | null> {
  return collectionOf(db, orgResource).findOne({ code });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
