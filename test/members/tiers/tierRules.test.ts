import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { earnRule } from '../../support/world';
import { multiplier, promote, tierWorlds } from './tierWorld';

const noteTier = {
  key: 'note',
  name: 'Says what it sees',
  activityTypes: ['Referral'],
  priority: 1,
  conditions: { all: [{ fact: 'member', path: '$.tierNumber.Status', operator: 'equal', value: 3 }] },
  actions: [{ type: 'setData', values: { sawGold: true } }],
};

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

describe('rules', () => {
  it('see the tier that a rule of higher priority set, and the next activity sees it too', async () => {
    await at.open({}, [promote, noteTier, earnRule, multiplier]);
    const member = await at.world.addMember();
    expect((await at.tiered.post(member, 50)).result.log).toHaveLength(1);

    const answer = await at.tiered.post(member, 0, { type: 'Referral' });

    expect(answer.result.data).toMatchObject({ sawGold: true });
    expect(answer.member.tiers).toMatchObject([{ level: { name: 'Gold', number: 3 } }]);
    expect(await at.tiered.whys(member._id)).toEqual([['set', undefined, 'Gold']]);
    const doubled = await at.tiered.post(member, 50);
    expect(doubled.member.purses).toMatchObject([{ balance: 150 }]);
    expect(doubled.member.tiers).toMatchObject([{ level: { name: 'Gold' } }]);
  });

  it('that name a policy or level that does not exist are refused with the nearest name', async () => {
    await at.open();
    const errors = await faultsOf({ ...promote, actions: [{ type: 'setTier', policy: 'Statsu', level: 'Gold' }] });
    expect(errors).toEqual(['unknown tier policy "Statsu" (did you mean "Status"?)']);
    const others = await faultsOf({ ...promote, actions: [{ type: 'setTier', policy: 'Status', level: 'Glod' }] });
    expect(others).toEqual(['unknown tier level "Glod" (did you mean "Gold"?)']);
  });

  it('are tested with the tier that a rule of higher priority sets', async () => {
    const tests = [
      {
        name: 'sees Gold',
        activity: { type: 'Referral' },
        expect: { fired: ['promote', 'note'], data: { sawGold: true } },
      },
    ];
    await at.open();
    expect(await faultsOf({ ...noteTier, tests }, promote)).toEqual([]);
    const alone = [{ name: 'sees nothing', activity: { type: 'Referral' }, expect: { notFired: ['note'] } }];
    expect(await faultsOf({ ...noteTier, tests: alone })).toEqual([]);
  });
});

async function faultsOf(...rules: Record<string, unknown>[]): Promise<string[]> {
  const { rulesDir, services } = at.world;
  writeFileSync(path.join(rulesDir, 'main', 'rules.json'), JSON.stringify(rules));
  const { errors } = await services.ruleSets.publish(services.org._id);
  return errors.map(({ message }) => message);
}
