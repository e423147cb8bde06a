import { makeTierPolicy } from './definitions';
import { type Rich, richRecords } from './richRecords';
import { makeKnown } from './richReferences';
import { earnRule, openWorld, type World } from './world';

/** A world with the records that the rich records refer to, and the rich records by path. */
export async function makeRich(): Promise<{ world: World; rich: ReadonlyMap<string, Rich> }> {
  const world = await openWorld({ rules: [earnRule] });
  world.services.clock.set('2026-01-31T12:00:00.000Z');
  const { services, author, program, policies } = world;
  await makeTierPolicy(services.db, author, program);
  const purse = policies[0]?._id.toHexString() ?? '';
  const known = await makeKnown(world.server.as('ledger-admin'), program._id.toHexString(), purse);
  return { world, rich: new Map(richRecords(known).map((each) => [each.path, each])) };
}
