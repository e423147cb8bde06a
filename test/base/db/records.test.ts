import fc from 'fast-check';
import { derivedId, derivedIdAt, derivedIdInOrder } from '#base/db/records';

const parts = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });
const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

test('equal parts give equal ids, and different parts different ones', () => {
  fc.assert(
    fc.property(parts, parts, moment, (some, others, at) => {
      expect(derivedId(...some)).toEqual(derivedId(...some));
      expect(derivedIdAt(at, ...some)).toEqual(derivedIdAt(at, ...some));
      const isSame = JSON.stringify(some.map(String)) === JSON.stringify(others.map(String));
      expect(derivedId(...some).equals(derivedId(...others))).toBe(isSame);
      expect(derivedIdAt(at, ...some).equals(derivedIdAt(at, ...others))).toBe(isSame);
    }),
  );
});

test('an id contains its second, so ids of different seconds sort in the order of creation', () => {
  fc.assert(
    fc.property(parts, moment, (some, at) => {
      const second = Math.floor(at.getTime() / 1000);
      const id = derivedIdAt(at, ...some);
      expect(id.getTimestamp().getTime()).toBe(second * 1000);
      const next = derivedIdAt(new Date((second + 1) * 1000), ...some);
      expect(next.toHexString() > id.toHexString()).toBe(true);
    }),
  );
});

test('ids of one second sort by their order, and the order alone does not make them different', () => {
  const order = fc.integer({ min: 0, max: 2 ** 16 - 2 });
  fc.assert(
    fc.property(parts, parts, moment, order, (some, others, at, n) => {
      const id = derivedIdInOrder(at, n, ...some);
      expect(derivedIdInOrder(at, n, ...some)).toEqual(id);
      expect(id.getTimestamp().getTime()).toBe(Math.floor(at.getTime() / 1000) * 1000);
      expect(derivedIdInOrder(at, n + 1, ...others).toHexString() > id.toHexString()).toBe(true);
      const isSame = JSON.stringify(some.map(String)) === JSON.stringify(others.map(String));
      expect(derivedIdInOrder(at, n, ...others).equals(id)).toBe(isSame);
    }),
  );
});
