import { ObjectId } from 'bson';
import { memberBucket } from '#engine/rules/format/memberBucket';

test('a member always has one bucket from 0 to 99', () => {
  const id = new ObjectId('0123456789abcdef01234567');
  // Published once: members must not change sides of an experiment with a new version of the service.
  expect(memberBucket(id)).toBe(87);
  expect(memberBucket(new ObjectId(id.toHexString()))).toBe(memberBucket(id));
});

test('members fall evenly into buckets, also those made one after the other', () => {
  const members = 100_000;
  const counts = new Array<number>(100).fill(0);
  for (let n = 0; n < members; n += 1) {
    const bucket = memberBucket(new ObjectId(`66f000000000000000${n.toString(16).padStart(6, '0')}`));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const expected = members / 100;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // With 99 degrees of freedom an even distribution exceeds 149 once in a thousand sets of members.
  expect(chiSquare).toBeLessThan(149);
});
