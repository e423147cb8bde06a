import { actionDefinitions, actionTypes } from '#engine/rules/actions/list';
import { base, faultsOf } from './sampleRules';

describe('actions of a rule', () => {
  it.each<[string, unknown, unknown[]]>([
    [
      'an unknown action',
      { type: 'addPoint' },
      [`"addPoint"}]: type must be one of ${actionTypes.join(', ')} (did you mean "addPoints"?)`],
    ],
    [
      'an unknown purse',
      { type: 'addPoints', purse: 'Ponits', points: 1 },
      ['"Ponits","po: unknown purse "Ponits" (did you mean "Points"?)'],
    ],
    [
      'an unknown parameter',
      { type: 'addPoints', purse: 'Points', point: 1, points: 1 },
      ['"point":1,"p: unknown field "point" (did you mean "points"?)'],
    ],
    [
      'half a point',
      { type: 'addPoints', purse: 'Points', points: 0.5 },
      ['0.5}]}: points must be a whole number; it is 0.5'],
    ],
    [
      'an amount of an unknown fact',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activty' }, times: 1 } },
      ['"activty"},": unknown fact "activty" (did you mean "activity"?)'],
    ],
    [
      'an amount of a text',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.type' }, times: 1 } },
      ['{"fact":"act: activity $.type is a text; an amount needs a number'],
    ],
    [
      'an amount with a misspelt field',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, tims: 1 } },
      ['"tims":1}}]}: unknown field "tims" (did you mean "times"?)'],
    ],
    [
      'steps with a misspelt field',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, every: 5, points: 1, mx: 1 } },
      ['"mx":1}}]}: unknown field "mx" (did you mean "max"?)'],
    ],
    [
      'max below min',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, times: 1, min: 5, max: 4 } },
      ['4}}]}: max must not be below min'],
    ],
    [
      'escrow without a duration',
      { type: 'addPoints', purse: 'Points', points: 1, escrow: { type: 'duration' } },
      ['{"type":"dur: duration needs value and unit'],
    ],
    [
      'expiry on a day that no year has',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'calendar', month: 2, day: 30 } },
      ['30}}]}: month 2 has no day 30'],
    ],
    [
      'expiry at once',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'rolling', value: 0, unit: 'day' } },
      ['0,"unit":"da: must be >= 1'],
    ],
    [
      'expiry by inactivity of a purse that knows none',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'inactivity', value: 1, unit: 'day' } },
      ['"inactivity": points of Points do not expire by inactivity; only its purse policy can say so'],
    ],
    [
      'a built-in metric',
      { type: 'addMetric', metric: 'spend', value: 1 },
      ['"spend","val: "spend" is a metric that the service counts itself'],
    ],
    [
      'an unknown segment',
      { type: 'addSegment', segment: 'VPI' },
      ['"VPI"}]}: unknown segment "VPI" (did you mean "VIP"?)'],
    ],
    [
      'a segment by query',
      { type: 'removeSegment', segment: 'French' },
      ['"French"}]}: the segment "French" selects members by a query; only static ones can be changed'],
    ],
    [
      'data with a bad key',
      { type: 'setData', values: { 'a.b': 1 } },
      [
        '{"a.b":1}}]}: values must not hold keys that are empty, `__proto__`, start with $ or contain a dot or NUL, nor more than 32 levels',
      ],
    ],
  ])('are refused: %s', async (_, action, expected) => {
    expect(await faultsOf({ ...base, actions: [action] })).toEqual(expected);
  });

  it.each<[string, unknown, string[]]>([
    ['an unknown offer', { type: 'applyOffer', offer: 'SUMER' }, ['unknown offer "SUMER" (did you mean "SUMMER"?)']],
    [
      'a choice with an unknown reward and another default',
      { type: 'issueChoice', rewards: ['MUG', 'JUG'], default: 'CUP' },
      ['unknown reward "JUG" (did you mean "MUG"?)', 'unknown reward "CUP"', 'must be one of "rewards"'],
    ],
    ['an unknown reward', { type: 'issueReward', reward: 'JUG' }, ['unknown reward "JUG" (did you mean "MUG"?)']],
    [
      'a referral with an unknown purse',
      { type: 'completeReferral', purse: 'Point', points: 1 },
      ['unknown purse "Point" (did you mean "Points"?)'],
    ],
    [
      'a transfer to nowhere',
      { type: 'transferPoints', purse: 'Points', points: 1 },
      ['a transfer needs one of "toPurse" and "toMember"'],
    ],
    [
      'a transfer to its own purse',
      { type: 'transferPoints', purse: 'Points', points: 1, toPurse: 'Points' },
      ['the points would stay in their purse'],
    ],
    [
      'a transfer whose receiver no activity can name',
      {
        type: 'transferPoints',
        purse: 'Points',
        points: 1,
        toMember: { loyaltyID: { fact: 'member', path: '$.ext.to' } },
      },
      ['only a part of the activity can name the receiver'],
    ],
  ])('are refused for the record that they name: %s', async (_, action, expected) => {
    const faults = await faultsOf({ ...base, actions: [action] });
    expect(faults.map((fault) => fault.slice(fault.indexOf(': ') + 2))).toEqual(expected);
  });

  it('cannot have limits on the points of referrals', async () => {
    const actions = [{ type: 'completeReferral', purse: 'Points', points: 1 }];
    const refused = await faultsOf({ ...base, actions, budget: { points: 100 } });
    expect(refused).toEqual([expect.stringContaining('points of completeReferral are not counted; limit its times')]);
    const limits = [{ what: 'times', per: 'member', period: 'day', max: 1, onExceed: 'skip' }];
    expect(await faultsOf({ ...base, actions, limits })).toEqual([]);
  });

  it('may repeat the inactivity of their purse', async () => {
    const expiry = { type: 'inactivity', value: 1, unit: 'year' };
    const action = { type: 'addPoints', purse: 'Lasting', points: 1, expiry };
    expect(await faultsOf({ ...base, actions: [action] })).toEqual([]);
  });

  it('may neither give nor take points in a rule for cancellations', async () => {
    const rule = { ...base, activityTypes: ['Cancellation'] };
    const allowed = actionTypes.filter((type) => actionDefinitions[type]?.inCancellation);
    expect(allowed).toEqual(expect.arrayContaining(['addMetric', 'setData', 'reject', 'log']));
    expect(allowed).not.toContain('redeemPoints');
    expect(await faultsOf(rule)).toEqual([`"addPoints",: a rule for Cancellation may only have ${allowed.join(', ')}`]);
    expect(await faultsOf({ ...rule, actions: [{ type: 'log', message: 'x' }] })).toEqual([]);
  });
});
