import type { Member } from '../../src/records/members/member';
import { openWorld, type World } from '../support/world';
import { type Acting, actingIn } from './acting';
import { pursePolicies, purseRules } from './purses';

/**
 * A world with several purses for the tests of a file: each has a new member and the clock at `start`, and after each the
 * books are reconciled.
 */
export function purseWorld(start = '2026-03-01T12:00:00.000Z') {
  let opened: { world: World; acting: Acting; member?: Member } | undefined;
  const open = () => {
    if (!opened) throw new Error('no test runs');
    return opened;
  };
  const member = (): Member => {
    const { member: own } = open();
    if (!own) throw new Error('no test runs');
    return own;
  };
  beforeAll(async () => {
    const world = await openWorld({ rules: purseRules, policies: pursePolicies });
    opened = { world, acting: actingIn(world) };
  });
  beforeEach(async () => {
    const { world } = open();
    world.services.clock.set(start);
    open().member = await world.addMember();
  });
  afterEach(async () => {
    expect(await open().acting.mismatches()).toEqual([]);
  });
  afterAll(() => opened?.world.close());
  /** Posts an activity that earns into a purse or redeems from it; gives the id of its history. */
  const act = (type: 'Accrual' | 'Redemption', purse: string, value: number, fields: object = {}) =>
    open().acting.processed(type, member()._id, { value, ext: { purse }, ...fields });
  return {
    get world() {
      return open().world;
    },
    get acting() {
      return open().acting;
    },
    get member() {
      return member();
    },
    act,
    earn: (value: number, fields: object = {}) => act('Accrual', 'Points', value, fields),
    redeem: (value: number) => act('Redemption', 'Points', value),
    /** Some parts of each of the member's accrual items, by their names without `Points`. */
    parts: async (...names: string[]) => {
      const lots: Record<string, number>[] = await open().acting.lots(member()._id);
      return lots.map((lot) => names.map((name) => lot[`${name}Points`]));
    },
    tick: () => open().world.services.clock.advance(1000),
  };
}
