import { ObjectId } from 'bson';
import { movedByRule } from '#engine/rules/explain/movedPoints';

const [rule, otherRule, own, other] = [new ObjectId(), new ObjectId(), new ObjectId(), new ObjectId()];
const [points, miles, removed] = [new ObjectId(), new ObjectId(), new ObjectId()];
const names = new Map([
  [points.toHexString(), 'Points'],
  [miles.toHexString(), 'Miles'],
]);
const movement = (changes: object = {}) => ({ rule, purse: points, member: own, points: 5, ...changes });
const movedBy = (id: ObjectId, effects: Partial<Parameters<typeof movedByRule>[0]>) =>
  movedByRule({ accrued: [], burned: [], debts: [], ...effects }, own, (purse) => names.get(purse.toHexString())).get(
    id.toHexString(),
  );

it('the points of one rule, purse, owner and direction are added up', () => {
  expect(movedBy(rule, { accrued: [movement(), movement({ points: 2 })] })).toEqual([
    { purse: 'Points', points: 7, isOther: false },
  ]);
  expect(movedBy(rule, { burned: [movement()], debts: [movement({ points: 2 })] })).toEqual([
    { purse: 'Points', points: -7, isOther: false },
  ]);
});

it.each<[string, object, object]>([
  ['of another purse', { purse: miles }, { purse: 'Miles', isOther: false }],
  ['of another member', { member: other }, { purse: 'Points', isOther: true }],
])('points %s are listed apart', (_case, changes, expected) => {
  const accrued = [movement(), movement(changes), movement(), movement(changes)];
  expect(movedBy(rule, { accrued })).toEqual([
    { purse: 'Points', points: 10, isOther: false },
    { ...expected, points: 10 },
  ]);
});

it('points that a rule added and points that it took are listed apart', () => {
  expect(movedBy(rule, { accrued: [movement()], burned: [movement({ points: 3 })] })).toEqual([
    { purse: 'Points', points: 5, isOther: false },
    { purse: 'Points', points: -3, isOther: false },
  ]);
});

it('points of another rule, of no rule and of a purse that exists no more are not among those of a rule', () => {
  const accrued = [movement({ rule: otherRule }), movement({ rule: undefined }), movement({ purse: removed })];
  expect(movedBy(rule, { accrued })).toBeUndefined();
  expect(movedBy(otherRule, { accrued })).toEqual([{ purse: 'Points', points: 5, isOther: false }]);
});
