import { reconcile } from '#members/reconcile/reconcile';
import { client } from '../../support/client';
import { aggregateFaults, expectedSums, readAggregates } from './aggregates';
import { bonusesOf, ledgerFaults, readLedger } from './ledger';
import { couponUses, effectFaults, expectedOf, type Operation } from './operations';
import { campaignBudget, couponMax } from './rules';
import { readEffects, settle } from './settle';
import type { Stage } from './stage';

/**
 * Repeats what got no answer, and compares all that is stored with what the answers of all operations add up to.
 * @param fresh the operations of which none was repeated yet
 */
export async function verify(stage: Stage, operations: readonly Operation[], fresh = operations): Promise<void> {
  const { world, members } = stage;
  const api = client(world.server.url, world.services.users.client.token);
  expect(await settle(api, fresh)).toEqual([]);
  const admin = world.server.as('admin');
  const effects = await readEffects(admin);
  expect(effectFaults(operations, effects)).toEqual([]);
  const expected = expectedOf(operations, effects);
  const purses = await Promise.all(members.map((member) => pursesOf(stage, member)));
  expect(purses.map(({ member, points, daily }) => [member, points, daily])).toEqual(
    members.map((member) => [member, expected.get(member)?.points ?? 0, expected.get(member)?.daily ?? 0]),
  );
  const campaign = [...expected.values()].reduce((sum, each) => sum + each.campaign, 0);
  expect(purses.reduce((sum, { bonus }) => sum + bonus, 0)).toBe(Math.min(campaignBudget, campaign));
  const { uses, isUsedUp } = couponUses(operations, effects);
  expect(uses).toBe(isUsedUp ? couponMax : Math.min(uses, couponMax));

  const processed = [...effects.values()].flatMap(({ ids }) => ids);
  const balances = new Map(purses.map(({ member, points, bonus, daily }) => [member, points + bonus + daily]));
  const ledger = await readLedger(admin, processed);
  expect(ledgerFaults(ledger, balances, processed)).toEqual([]);
  const sums = expectedSums(operations, effects, bonusesOf(ledger.lots));
  expect(aggregateFaults(sums, await readAggregates(admin), members)).toEqual([]);
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
}

async function pursesOf({ world }: Stage, member: string) {
  const { body } = await world.server.as('client').get(`/members/${member}/purses`);
  const balanceIn = (name: string): number => body.find((purse: { name: string }) => purse.name === name)?.balance ?? 0;
  return { member, points: balanceIn('Points'), bonus: balanceIn('Bonus'), daily: balanceIn('Daily') };
}
