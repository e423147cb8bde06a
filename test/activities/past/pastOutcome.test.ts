import { ObjectId } from 'bson';
import { pastOutcome } from '#activities/past/pastOutcome';
import type { ActivityHistory } from '#records/activities/activityHistory';

const [rule, other, memberID] = [new ObjectId(), new ObjectId(), new ObjectId()];

/** A history of an activity that was given an offer, of which the rule `apply` fired. */
function history(fields: object): ActivityHistory {
  const ruleMatch = [
    { key: 'apply', rule, fired: true },
    { key: 'earn', rule: other, fired: true },
  ];
  return { memberID, lineItems: [], ruleMatch, ...fields } as unknown as ActivityHistory;
}

const applied = (by?: ObjectId) => ({ code: 'TEN', discount: 10, points: 0, ...(by && { rule: by }) });

test.each<[string, object, string | undefined]>([
  ['a rule when that applied it', { bestOffers: [applied(rule)] }, 'apply'],
  ['no rule when the activity named it', { couponCode: 'TEN', bestOffers: [applied()] }, undefined],
  ['no rule when a line item named it', { lineItems: [{ couponCode: 'TEN' }], bestOffers: [applied()] }, undefined],
  ['no rule when the activity named it too', { couponCode: 'TEN', bestOffers: [applied(rule)] }, undefined],
  ['a rule when the activity named another', { couponCode: 'FIVE', bestOffers: [applied(rule)] }, 'apply'],
])('an offer depends on %s', (_what, fields, expected) => {
  const { coupons } = pastOutcome(history(fields), [], new Map());
  expect(coupons).toEqual([{ code: 'TEN', rule: expected, changes: [] }]);
});

test('points without a rule belong to the offers that gave points, in their order', () => {
  const purse = new ObjectId();
  const given = (n: number, points: number) => ({ purse, member: memberID, points, returned: 0, n });
  const bestOffers = [
    { code: 'OFF', discount: 10, points: 0 },
    { code: 'PLUS', discount: 0, points: 5 },
    { code: 'MORE', discount: 0, points: 7 },
  ];
  const effects = { accrued: [given(2, 7), given(1, 5)], burned: [], debts: [] };
  const { coupons } = pastOutcome(history({ bestOffers, effects }), [], new Map([[purse.toHexString(), 'Points']]));
  expect(coupons.map(({ code, changes }) => [code, ...changes.map(({ points }) => points)])).toEqual([
    ['OFF'],
    ['PLUS', 5],
    ['MORE', 7],
  ]);
});
