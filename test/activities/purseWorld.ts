import type { Member } from '#records/members/member';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';
import { pursePolicies, purseRules } from './purses';

/**
 * Opens and closes a world with several purses for the tests of a file. Each test begins with a new member and the
 * clock at `start`. After each test the ledger is reconciled.
 */
export function purseWorld(start = '2026-03-01T12:00:00.000Z') {
  let opened: { world: World; acting: ActivityApi; member?: Member } | undefined;
  const open = () => {
    if (!opened) throw new Error('the file has opened nothing');
    return opened;
  };
  const member = (): Member => {
    const { member: own } = open();
    if (!own) throw new Error('no test runs');
    return own;
  };
  /**
   * Posts an activity that awards points to a purse or redeems from it.
   * @returns the id of its history
   */
  const act = (type: 'Accrual' | 'Redemption', purse: string, value: number, fields: object = {}) =>
    open().acting.processed(type, member()._id, { value, ext: { purse }, ...fields });
  return {
    async open(): Promise<void> {
      const world = await openWorld({ rules: purseRules, policies: pursePolicies });
      opened = { world, acting: activityApi(world) };
    },
    close: () => opened?.world.close(),
    async begin(): Promise<void> {
      const { world } = open();
      world.services.clock.set(start);
      open().member = await world.addMember();
    },
    /** The mismatches that reconcile finds. */
    mismatches: () => open().acting.mismatches(),
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
    /** The requested amounts of each accrual item of the member, by field name without `Points`. */
    parts: async (...names: string[]) => {
      const lots: Record<string, number>[] = await open().acting.lots(member()._id);
      return lots.map((lot) => names.map((name) => lot[`${name}Points`]));
    },
    tick: () => open().world.services.clock.advance(1000),
  };
}
