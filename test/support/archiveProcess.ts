import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { connect } from '#base/db/connect';
import { writeArchive } from '#operations/archive/writeArchive';
import { orgResource } from '#records/users/org';

/**
 * A process that archives what an org has from more than 90 days ago, in small volumes. Tests kill it. The arguments are
 * the URI of the database, the code of the org, the folder and the moment that counts as now.
 */
async function run([mongodbUri = '', code = '', root = '', moment = '']: string[]): Promise<void> {
  const db = await connect(mongodbUri, { maxPoolSize: 2 });
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) throw new Error(`no org ${code}`);
  const now = new Date(moment);
  await writeArchive(db, {
    org,
    before: new Date(now.getTime() - 90 * dayMs),
    root,
    clock: { now: () => now },
    volumeMax: 60,
    onProgress: () => undefined,
  });
  await db.destroy();
}

run(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
