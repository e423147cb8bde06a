import { connect } from '#base/db/connect';
import { rollUp } from '#members/aggregates/rollUp/rollUp';

// A process that runs the roll-up until nothing is left. Tests kill it.
async function run(mongodbUri: string): Promise<void> {
  const db = await connect(mongodbUri, { maxPoolSize: 5 });
  await rollUp({ db }, { now: new Date('2026-11-21T12:00:00Z') });
  await db.destroy();
}

run(process.argv[2] ?? '').catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
