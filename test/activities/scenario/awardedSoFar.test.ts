import { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { ruleActivityTypes } from '#records/activities/activity';
import { type Offer, offerResource } from '#records/offers/offer';
import { type Reward, rewardResource } from '#records/offers/reward';
import { faultsOf, scenarioDefinitions } from './scenarioDefinitions';

const value = { fact: 'activity', path: '$.value' };
const rules = [
  {
    key: 'earn',
    name: 'A point per unit, a fifth for the head',
    activityTypes: ['Accrual'],
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: value }, pool: { share: 0.2 } }],
  },
  {
    key: 'sale',
    name: 'Ten percent off',
    activityTypes: ['Accrual'],
    priority: 5,
    conditions: { all: [{ ...value, operator: 'greaterThanInclusive', value: 50 }] },
    actions: [{ type: 'applyOffer', offer: 'TEN' }],
  },
  {
    key: 'gift',
    name: 'A mug from 100',
    activityTypes: ['Accrual'],
    conditions: { all: [{ ...value, operator: 'greaterThanInclusive', value: 100 }] },
    actions: [{ type: 'issueReward', reward: 'MUG' }],
  },
  {
    key: 'welcome',
    name: '50 for Gold',
    activityTypes: ['TierReached'],
    conditions: { all: [{ fact: 'activity', path: '$.occasion.level', operator: 'equal', value: 'Gold' }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 50 }],
  },
  {
    key: 'mug-points',
    name: '7 with each mug',
    activityTypes: ['RewardIssued'],
    conditions: { all: [{ fact: 'activity', path: '$.occasion.reward', operator: 'equal', value: 'MUG' }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 7 }],
  },
  {
    key: 'consolation',
    name: '1 when points expired',
    activityTypes: ['PointsExpired'],
    actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
  },
];
const all = rules.map(({ key }) => key);

function definitions(): RuleReferences {
  const known = scenarioDefinitions(
    [{ name: 'Points', expiry: { type: 'rolling', value: 1, unit: 'year' } }],
    [
      {
        name: 'Status',
        levels: [{ name: 'Gold', number: 1, threshold: 200 }],
        basis: { metric: 'spend', period: 'lifetime' },
      },
    ],
  );
  const [program] = known.programs;
  if (!program?.records) throw new Error('the definitions have a program');
  const stamps = () => newStamps({ org: new ObjectId(), userId: new ObjectId() }, new Date(0));
  const own = { program: program._id.toHexString() };
  const ten = { ...own, code: 'TEN', name: 'Ten off', discount: { type: 'percent', value: 10 } };
  const mug = { ...own, code: 'MUG', name: 'A mug' };
  const night = {
    ...own,
    code: 'NIGHT',
    name: 'A night',
    cost: { purse: 'Points', points: 100, leastPoints: 40, pointValue: 2 },
  };
  const offers = [{ ...stamps(), ...Object(offerResource.parseCreate(ten)) } as Offer];
  const rewards = [mug, night].map((body) => ({ ...stamps(), ...Object(rewardResource.parseCreate(body)) }) as Reward);
  const records = { ...program.records, offers, rewards };
  const codes = { offers: ['TEN'], rewards: ['MUG', 'NIGHT'] };
  return { ...known, activityTypes: [...ruleActivityTypes], programs: [{ ...program, ...codes, records }] };
}

const start = { date: '2026-01-10T12:00:00Z' };
const accrual = (spent: number, more: object = {}) => ({
  activity: { type: 'Accrual', value: spent, ...start, ...more },
});
const tested = (steps: object[], fired = ['earn'], more: object = {}) => {
  const [first, ...others] = rules;
  const test = { name: 't', steps, expect: { fired }, ...more };
  return faultsOf([{ ...first, tests: [test] }, ...others], definitions());
};

it('a step expects offers, rewards, money and the share of the head, or none of them', async () => {
  const none = { offers: {}, rewards: {}, money: {}, pool: {} };
  const member = { familyHead: '507f1f77bcf86cd799439011', purse: { Points: 60 } };
  const steps = [
    { ...accrual(30), expect: { ...none, pool: { Points: 6 }, points: { Points: 24 } } },
    { ...accrual(60), expect: { ...none, offers: { TEN: 6, NIGHT: null }, pool: { Points: 12 } } },
    { ...accrual(100), expect: { offers: { 'Ten off': 10 }, rewards: { MUG: 1, 'A night': 0 }, money: {} } },
    {
      activity: { type: 'Redemption', couponCode: 'NIGHT', payPoints: 70 },
      expect: { ...none, offers: { NIGHT: 0 }, money: { 'A night': 60 }, points: { Points: -70 } },
    },
    { wait: { value: 1, unit: 'day' }, expect: none },
    { cancel: { step: 4 }, expect: { ...none, money: { NIGHT: -60 }, points: { Points: 70 } } },
    { cancel: { step: 3 }, expect: { ...none, rewards: { MUG: -1 }, pool: { Points: -20 } } },
  ];
  expect(await tested(steps, ['earn', 'sale', 'gift'], { member })).toEqual([]);
});

it.each([
  [{ offers: { TEN: 9 } }, 'expected TEN applied with 9, got 10'],
  [{ offers: {} }, 'expected no offers, got TEN applied with 10'],
  [{ offers: { TEN: null } }, 'expected TEN not applied, got 10'],
  [{ offers: { NIGHT: 0 } }, 'expected NIGHT applied with 0, got none'],
  [{ rewards: { MUG: 2 } }, 'expected 2 MUG issued, got 1'],
  [{ rewards: {} }, 'expected no rewards, got 1 MUG issued'],
  [{ money: { NIGHT: 5 } }, 'expected 5 in money for NIGHT, got 0'],
  [{ pool: { Points: 20 } }, 'expected 20 Points for the head of the family, got 0'],
])('a step that fails says what was awarded instead of %j', async (expected, actual) => {
  const faults = await tested([{ ...accrual(100), expect: expected }], ['earn', 'sale', 'gift']);
  expect(faults).toEqual([expect.stringContaining(`step 1 (Accrual): ${actual}`)]);
});

it('a step is refused with names that the program does not have', async () => {
  const expected = { offers: { TENN: 1 }, rewards: { TEN: 1 }, money: { NIHGT: 1 }, pool: { Pionts: 1 } };
  expect(await tested([{ ...accrual(1), expect: expected }])).toEqual([
    'unknown offer or reward "TENN" (did you mean "TEN"?)',
    'unknown reward "TEN"',
    'unknown reward "NIHGT" (did you mean "NIGHT"?)',
    'unknown purse "Pionts" (did you mean "Points"?)',
  ]);
});

describe('a scenario causes the occasions that a commit causes:', () => {
  it('those of levels and rewards, which are taken back with their cause', async () => {
    const steps = [
      { ...accrual(99), expect: { points: { Points: 99 }, notFired: ['welcome', 'mug-points'] } },
      { ...accrual(101), expect: { points: { Points: 158 }, fired: ['welcome', 'mug-points'], rewards: { MUG: 1 } } },
      { ...accrual(1), expect: { points: { Points: 1 }, notFired: ['welcome'] } },
      { cancel: { step: 2 }, expect: { points: { Points: -158 }, levels: { Status: null } } },
    ];
    expect(
      await tested(
        steps,
        all.filter((key) => key !== 'consolation'),
      ),
    ).toEqual([]);
  });

  it('those of points that expire as time passes', async () => {
    const steps = [
      { ...accrual(10), expect: { points: { Points: 10 } } },
      { wait: { value: 1, unit: 'year' }, expect: { points: { Points: -9 }, fired: ['consolation'] } },
    ];
    expect(await tested(steps, ['earn', 'consolation'])).toEqual([]);
  });

  it('and none without a rule of the test for it', async () => {
    const steps = [{ ...accrual(200), expect: { points: { Points: 200 } } }];
    expect(await tested(steps, ['earn'])).toEqual([]);
  });
});
