import { collectionOf } from '#base/db/collections';
import { readChangedRules } from '#publishing/simulations/changedRules';
import { programResource } from '#records/programs/program';
import { earnRule, openWorld, type World } from '../../support/world';

const columns = {
  channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' },
  points: { set: '$.actions[0].points' },
};
/** A rule with a table of this many rows. Together, the rules of its rows can be longer than a file may be. */
const tableOf = (rows: number) => ({
  ...earnRule,
  key: 'bonus',
  description: 'x'.repeat(900),
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
  table: { columns, rows: Array.from({ length: rows }, (_, n) => ({ channel: `C${n}`, points: n + 1 })) },
  tests: [{ name: 'first', activity: { type: 'Accrual', srcChannelType: 'C0' }, expect: { fired: ['bonus'] } }],
});

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, tableOf(1200)] });
});
afterAll(() => world.close());

async function changed(rules: unknown[]) {
  const { db, users } = world.server.services;
  const { org } = users.admin.principal;
  const program = await collectionOf(db, programResource).findOne({ org });
  if (!program) throw new Error('the world has a program');
  return readChangedRules(db, org, { rules, program });
}

test('beside a changed rule, the rows of a table stay in force in their order', async () => {
  const { rules, errors } = await changed([{ ...earnRule, name: 'Earns otherwise' }]);
  expect(errors).toEqual([]);
  const rows = rules.filter(({ key }) => key.startsWith('bonus-'));
  expect(rows.sort((a, b) => a.position - b.position).map(({ actions }) => actions[0])).toEqual(
    Array.from({ length: 1200 }, (_, n) => ({ type: 'addPoints', purse: 'Points', points: n + 1 })),
  );
});

test('when one rule changes, others still refer to the table of the rows, and its tests still run', async () => {
  const channel = { type: 'Accrual', srcChannelType: 'C0' };
  const named = { ...earnRule, tests: [{ name: 'both', activity: channel, expect: { fired: ['bonus'] } }] };
  expect((await changed([named])).errors).toEqual([]);
  const { errors } = await changed([
    { ...named, tests: [{ name: 'not', activity: channel, expect: { notFired: ['bonus'] } }] },
  ]);
  expect(errors).toMatchObject([{ message: 'test "not" fails: "bonus" fired' }]);
});

test('a table that is sent takes the place of all rows of its key', async () => {
  const { rules, errors } = await changed([tableOf(2)]);
  expect(errors).toEqual([]);
  expect(rules.map(({ name }) => name).sort()).toEqual(
    [earnRule.name, `${earnRule.name}: C0`, `${earnRule.name}: C1`].sort(),
  );
});
