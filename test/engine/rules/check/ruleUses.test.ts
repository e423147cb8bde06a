import { brokenUses } from '#engine/rules/check/brokenUses';
import { ruleUses } from '#engine/rules/check/ruleUses';
import { programId, rule } from '../builders';

const program = programId.toHexString();
const id = '0123456789abcdef01234567';
const when = (fact: string, path: string, operator: string, value: unknown) => ({
  conditions: { all: [{ any: [{ not: { fact, path, operator, value } }] }] },
});
const eligible = (filter: object) => ({
  actions: [
    {
      type: 'addPoints' as const,
      purse: 'Points',
      points: { of: { fact: 'eligibleAmount', params: { filter } }, times: 1 },
    },
  ],
});

test.each([
  ['its program', {}, 'Program', { _id: program }],
  ['an activity type', { activityTypes: ['Review'] }, 'Enum', { type: 'ActivityType', value: 'Review' }],
  ['a segment', { segments: ['Locals'] }, 'Segment', { name: 'Locals' }],
  ['a level', { tiers: ['Gold'] }, 'TierPolicy', { program, 'levels.name': 'Gold' }],
  ['the purse of an action', {}, 'PursePolicy', { program, name: 'Points' }],
  [
    'the receiving purse',
    { actions: [{ type: 'transferPoints' as const, purse: 'Points', points: 1, toPurse: 'Miles' }] },
    'PursePolicy',
    { program, name: 'Miles' },
  ],
  [
    'inactivity of a purse',
    {
      actions: [
        {
          type: 'addPoints' as const,
          purse: 'Points',
          points: 1,
          expiry: { type: 'inactivity' as const, value: 1, unit: 'year' as const },
        },
      ],
    },
    'PursePolicy',
    { program, name: 'Points', 'expiry.type': 'inactivity' },
  ],
  [
    'the level it sets',
    { actions: [{ type: 'setTier' as const, policy: 'Status', level: 'Gold' }] },
    'TierPolicy',
    { program, name: 'Status', 'levels.name': 'Gold' },
  ],
  [
    'the segment it adds to',
    { actions: [{ type: 'addSegment' as const, segment: 'Fans' }] },
    'Segment',
    { name: 'Fans', kind: 'static' },
  ],
  ['a reward', { actions: [{ type: 'issueReward' as const, reward: 'CUP' }] }, 'Reward', { program, code: 'CUP' }],
  ['an offer', { actions: [{ type: 'applyOffer' as const, offer: 'TEN' }] }, 'Offer', { program, code: 'TEN' }],
  [
    'a purse looked at',
    when('member', "$.purse['Bonus Points'].balance", 'greaterThan', 1),
    'PursePolicy',
    { program, name: 'Bonus Points' },
  ],
  [
    'a tier looked at',
    when('member', '$.tierNumber.Status', 'greaterThan', 1),
    'TierPolicy',
    { program, name: 'Status' },
  ],
  [
    'a level looked for',
    when('member', '$.tier.Status', 'in', ['Gold']),
    'TierPolicy',
    { program, name: 'Status', 'levels.name': 'Gold' },
  ],
  ['a segment looked for', when('member', '$.segments', 'contains', 'Locals'), 'Segment', { name: 'Locals' }],
  ['an ext def of members', when('member', '$.ext.shoe', 'equal', 1), 'ExtDef', { of: 'Member', field: 'shoe' }],
  [
    'an ext def of lines',
    when('activity', "$.lineItems[*]['ext'].box", 'contains', 1),
    'ExtDef',
    { of: 'LineItem', field: 'box' },
  ],
  [
    'an ext def of products of lines',
    when('lineItem', '$.product.ext.bio[0]', 'equal', 1),
    'ExtDef',
    { of: 'Product', field: 'bio' },
  ],
  [
    'an ext def of products in a filter',
    eligible({ inclusionParams: { 'ext.bio': { searchStr: 'yes' } } }),
    'ExtDef',
    { of: 'Product', field: 'bio' },
  ],
  [
    'an ext def that it sets',
    { actions: [{ type: 'setExt' as const, on: 'activity' as const, values: { mark: 1 } }] },
    'ExtDef',
    { of: 'ActivityHistory', field: 'mark' },
  ],
  ['a named list', when('activity', '$.locationId', 'inNamedList', 'Shops'), 'NamedList', { name: 'Shops' }],
  ['a store', when('location', '$.number', 'equal', 'S-1'), 'Location', { number: 'S-1' }],
  ['a channel', when('activity', '$.srcChannelID', 'in', ['S-1', 'S-2']), 'Location', { number: 'S-2' }],
  ['a partner', when('partner', '$.code', 'equal', 'AIR'), 'Partner', { code: 'AIR' }],
  ['the partner of an activity', when('activity', '$.partnerCode', 'equal', 'AIR'), 'Partner', { code: 'AIR' }],
  ['a product', when('activity', '$.lineItems[*].itemSKU', 'contains', 'TEA'), 'Product', { sku: 'TEA' }],
  ['the list of a filter', eligible({ inclusionparamsnamedList: id.toUpperCase() }), 'NamedList', { _id: id }],
  [
    'a product of a filter',
    eligible({ inclusionParams: { sku: { searchStr: 'TEA, JAM' } } }),
    'Product',
    { sku: 'JAM' },
  ],
  [
    'the purse of a metric',
    {
      conditions: {
        all: [
          {
            fact: 'aggregate',
            operator: 'greaterThan',
            value: 1,
            params: { metric: 'pointsEarned:Miles', period: 'year' },
          },
        ],
      },
    },
    'PursePolicy',
    { program, name: 'Miles' },
  ],
])('a rule names %s', (_, changes, model, fields) => {
  expect(ruleUses(rule(changes))).toContainEqual({ model, fields, rule: 'demo/base' });
});

test('a text that is compared with another fact is no name', () => {
  const uses = ruleUses(rule(when('activity', '$.currencyCode', 'equal', 'S-1')));
  expect(uses.map(({ model }) => model).sort()).toEqual(['Enum', 'Program', 'PursePolicy']);
});

test('a change breaks the uses that the record no longer satisfies', () => {
  const gold = { model: 'TierPolicy', fields: { program, name: 'Status', 'levels.name': 'Gold' }, rule: 'demo/a' };
  const before = { program: programId, name: 'Status', levels: [{ name: 'Silver' }, { name: 'Gold' }] };
  const broken = (after?: object) => brokenUses([gold], { before, ...(after && { after }) }).length;
  expect(broken()).toBe(1);
  expect(broken({ ...before, name: 'Rank' })).toBe(1);
  expect(broken({ ...before, levels: [{ name: 'Silver' }] })).toBe(1);
  expect(broken({ ...before, levels: [{ name: 'Gold' }], grace: 1 })).toBe(0);
  expect(brokenUses([gold], { before: { ...before, name: 'Other' } })).toEqual([]);
});
