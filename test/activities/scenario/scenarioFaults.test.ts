import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';
import { faultsOf, scenarioDefinitions } from './scenarioDefinitions';

const earn = {
  key: 'earn',
  name: 'A point per unit',
  activityTypes: ['Accrual'],
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' } } }],
};
const accrual = { activity: { type: 'Accrual', value: 1, date: '2026-01-10T12:00:00Z' } };
const definitions = {
  ...scenarioDefinitions(undefined, [{ name: 'Status', levels: [{ name: 'Gold', number: 1, threshold: 100 }] }]),
  codes: { channels: ['POS', 'Kiosk'], partners: [], units: ['OZ'] },
};
const tested = (test: object, known: RuleReferences = definitions) =>
  faultsOf([{ ...earn, tests: [{ name: 't', steps: [accrual], expect: { fired: ['earn'] }, ...test }] }], known);

describe('an activity has the faults of a post', () => {
  const id = '507f1f77bcf86cd799439011';
  const words = 'must be one of Accrual, Redemption, Adjustment, Enrollment, Referral, Cancellation, or a value of an';
  it.each<[string, object, string[]]>([
    ['an unknown type', { type: 'Acrual' }, [`type ${words} Enum of type ActivityType`]],
    [
      'a cancellation',
      { type: 'Cancellation' },
      ['type must not be Cancellation: a step with "cancel" returns an activity'],
    ],
    [
      'an unknown channel',
      { srcChannelType: 'Fax' },
      [
        'srcChannelType must be one of POS, Web, Mobile, CallCenter, Partner, or a value of an Enum of type ChannelType',
      ],
    ],
    [
      'an unknown unit',
      { lineItems: [{ itemUOM: 'XX' }] },
      ['itemUOM must be one of EA, KG, L, M, or a value of an Enum of type SalesUOM'],
    ],
    ['a channel and a unit of Enums', { srcChannelType: 'Kiosk', lineItems: [{ itemUOM: 'OZ' }] }, []],
    [
      'what the service sets',
      { occasion: { level: 'Gold' } },
      ['occasion is computed by the service and cannot be written'],
    ],
    ['what the service sets', { status: 'Processed' }, ['status is computed by the service and cannot be written']],
    ['another member', { memberID: id }, ['memberID names another member: a scenario has one, so leave it out']],
    [
      'another loyalty id',
      { loyaltyID: 'L-2' },
      ['loyaltyID names another member: a scenario has one, so leave it out'],
    ],
    ['its own loyalty id', { loyaltyID: 'test' }, []],
    ['another activity', { originalTxnId: id }, ['originalTxnId refers to no activity of the scenario: leave it out']],
    ['a reserved key', { externalTxnId: 'occasion:1' }, ['externalTxnId must not begin with occasion:']],
    [
      'a sum that is too large',
      { value: 1, lineItems: [{ itemPrice: 2 ** 52, quantity: 4 }] },
      ['itemPrice * quantity must be at most 2^53 - 1'],
    ],
    ['a date before 1900', { date: '1899-12-31T00:00:00Z' }, ['date must not be before 1900']],
    [
      'a plain day',
      { date: '2026-01-10' },
      ['date must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z'],
    ],
    ['a negative value', { value: -1 }, ['value must be >= 0']],
    ['a text as a number', { value: '5' }, ['value must be a whole number; it is "5"']],
    ['an id that is none', { locationId: 'x' }, ['locationId must be an id of 24 hexadecimal characters']],
    ['null, as in a post', { partnerCode: null }, []],
  ])('%s', async (_, change, faults) => {
    expect(await tested({ steps: [{ activity: { ...accrual.activity, ...change } }] })).toEqual(faults);
  });

  it('but accepts any channels and units where those of the org are unknown', async () => {
    const { codes: _, ...unknown } = definitions;
    const activity = { ...accrual.activity, srcChannelType: 'Fax', lineItems: [{ itemUOM: 'XX' }] };
    expect(await tested({ steps: [{ activity }] }, unknown)).toEqual([]);
  });

  it('and reads local dates with utcOffset', async () => {
    const activity = { type: 'Accrual', value: 1, date: '2026-01-10 12:00:00', utcOffset: -300 };
    const steps = [{ activity }, { wait: { until: '2026-01-10T16:59:59Z' } }];
    expect(await tested({ steps })).toEqual([
      'until is in the past: here the scenario is at 2026-01-10T17:00:00.000Z; name a later date',
    ]);
  });

  it('also in the fields of its occasion', async () => {
    const steps = (occasion: object) => [accrual, { activity: { type: 'TierReached', occasion } }];
    expect(await tested({ steps: steps({ level: 'Gold' }) })).toEqual([]);
    expect(await tested({ steps: steps({ levle: 'Gold' }) })).toEqual([
      'unknown field "levle" (did you mean "level"?)',
    ]);
  });

  it('and each is reported at the line of its field', async () => {
    const steps = [accrual, { activity: { type: 'Accrual', lineItems: [{ itemUOM: 'XX' }] } }];
    const text = JSON.stringify([{ ...earn, tests: [{ name: 't', steps, expect: { fired: ['earn'] } }] }], null, 1);
    const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions);
    const line = text.split('\n').findIndex((each) => each.includes('XX')) + 1;
    expect(errors).toMatchObject([{ file: 'demo/a.json', line }]);
  });
});

it('a second activity with a used key is a replay or is refused', async () => {
  const keyed = { ...accrual.activity, externalTxnId: 'till-1' };
  const again = [{ activity: keyed }, { activity: keyed, expect: { points: { Points: 0 } } }];
  expect(await tested({ steps: again })).toEqual([]);
  const other = [{ activity: keyed }, { activity: { ...keyed, value: 2 }, expect: { error: 1200 } }];
  expect(await tested({ steps: other })).toEqual([]);
});

describe('a cancel has the faults of a return', () => {
  it.each<[string, object, string[]]>([
    ['a line that names nothing', { lineItems: [{}] }, ['_id, itemSKU or productId says which line item came back']],
    ['no quantity', { lineItems: [{ itemSKU: 'A', quantity: 0 }] }, ['quantity must be >= 1']],
    [
      'an id that is none',
      { lineItems: [{ productId: 'x' }] },
      ['productId must be an id of 24 hexadecimal characters'],
    ],
    ['a value of nothing', { value: 0 }, ['value must be >= 1']],
  ])('%s', async (_, part, faults) => {
    expect(await tested({ steps: [accrual, { cancel: { step: 1, ...part } }] })).toEqual(faults);
  });
});

describe('the member has the faults of a member', () => {
  const begins = 'at 2026-01-10T12:00:00.000Z';
  it.each<[string, object, string[]]>([
    ['a birth date that is none', { birthDate: '2001-02-30' }, ['birthDate must match format "date"']],
    [
      'a birth date to come',
      { birthDate: '2026-01-12' },
      ['birthDate must not be in the future; the scenario begins at 2026-01-10T12:00:00.000Z'],
    ],
    ['an e-mail that is none', { email: 'x' }, ['email must match format "email"']],
    [
      'a status that only the service sets',
      { status: 'Erased' },
      ['status must be one of Active, Inactive, Suspended'],
    ],
    [
      'a date that is none',
      { enrolledAt: 'yesterday' },
      ['enrolledAt must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z'],
    ],
    ['a plain day', { enrolledAt: '2025-06-01' }, []],
    ['a visit to come', { lastVisit: '2026-01-11' }, [`lastVisit must not be after the scenario begins, ${begins}`]],
    ['an unknown level', { tier: { Status: 'Glod' } }, ['unknown tier level "Glod" (did you mean "Gold"?)']],
    ['the date of no level', { tierSince: { Status: '2025-06-01' } }, ['the member has no "Status" in "tier"']],
    ['the date of no segment', { segmentSince: { VIP: '2025-06-01' } }, ['the member has no "VIP" in "segments"']],
    [
      'the end of a level',
      { tierUntil: { Status: '2027-01-01' } },
      ['in a test with steps, the tier policy says when the level ends; "tierSince" says since when it counts'],
    ],
    ['an unknown purse', { purse: { Pionts: 1 } }, ['unknown purse "Pionts" (did you mean "Points"?)']],
    ['a debt', { purse: { Points: -1 } }, ['Points must be >= 0']],
    ['parts of points', { purse: { Points: 1.5 } }, ['Points must be a whole number; it is 1.5']],
    ['parts of a purse', { purse: { Points: { balance: 5 } } }, ['Points must be a whole number; it is {"balance":5}']],
    ['accruals below zero', { processedAccruals: -1 }, ['processedAccruals must be >= 0']],
    ['a head that is no id', { familyHead: 'x' }, ['familyHead must be an id of 24 hexadecimal characters']],
    ['a referrer', { referredBy: '507f1f77bcf86cd799439011' }, []],
  ])('%s', async (_, member, faults) => {
    expect(await tested({ member })).toEqual(faults);
  });

  it.each<[string, object, string[]]>([
    [
      'visits below zero',
      { visits: { month: -1 } },
      ['in a test with steps, month of visits must be a whole number from 0; it is -1'],
    ],
    [
      'parts of a visit',
      { visits: { lifetime: 1.5 } },
      ['in a test with steps, lifetime of visits must be a whole number from 0; it is 1.5'],
    ],
    [
      'parts of an own metric',
      { stamps: { year: 0.5 } },
      ['in a test with steps, year of stamps must be a whole number; it is 0.5'],
    ],
    ['an own metric below zero', { stamps: { year: -2 } }, []],
    [
      'a day that does not exist',
      { spend: { days: { '2026-02-30': 5 } } },
      ['2026-02-30 must be a day that exists, such as 2026-01-31'],
    ],
    [
      'a day to come',
      { spend: { days: { '2026-01-11': 5 } } },
      [`2026-01-11 must not be after the scenario begins, ${begins}`],
    ],
  ])('%s', async (_, aggregates, faults) => {
    expect(await tested({ aggregates })).toEqual(faults);
  });
});

describe('time does not go back', () => {
  it('by a wait', async () => {
    const steps = [accrual, { wait: { value: 2, unit: 'day' } }, { wait: { until: '2026-01-12' } }];
    expect(await tested({ steps })).toEqual([
      'until is in the past: here the scenario is at 2026-01-12T12:00:00.000Z; name a later date',
    ]);
  });

  it.each([
    ['a wait', { wait: { value: 3650, unit: 'year' } }],
    ['a date', { activity: { type: 'Accrual', date: '9999-01-01T00:00:00Z' } }],
  ])('and passes for at most 100 years by %s', async (_, step) => {
    const far = Array.from({ length: 99 }, () => step);
    const faults = await tested({ steps: [accrual, ...far] });
    expect(new Set(faults)).toEqual(new Set(['the steps of a test last at most 100 years']));
  });
});
