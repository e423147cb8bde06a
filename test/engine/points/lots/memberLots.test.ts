import assert from 'node:assert';
import { MemberLots } from '#engine/points/lots/memberLots';
import { points, policyNamed, someId } from '../builders';
import { StoredMember } from '../storedMember';

const other = policyNamed('Other', {});
const member = new StoredMember([points, other]);
member.post([
  { purse: points._id, earn: 1 },
  { purse: points._id, earn: 2 },
  { purse: other._id, earn: 2 },
]);
const loaded = [...member.lots.values()];

it('the lots of one purse that fit are found: loaded, changed and new ones', () => {
  const lots = MemberLots.open(loaded);
  const sizes = () =>
    lots.matching(({ accruedPoints }) => accruedPoints >= 2, points._id).map((lot) => lot.accruedPoints);
  expect(sizes()).toEqual([2]);
  const [small, large] = loaded.filter(({ purse }) => purse.equals(points._id));
  assert(small && large);
  lots.put({ ...large, accruedPoints: 3 });
  lots.put({ ...small, _id: someId(), accruedPoints: 5 });
  lots.put({ ...small, _id: someId(), accruedPoints: 1 });
  lots.put({ ...small, _id: someId(), purse: other._id, accruedPoints: 5 });
  expect(sizes()).toEqual([3, 5]);
});
