import { takeFactSnapshot } from '#activities/decide/buildHistory';

const read = (fact: string, value: unknown, more: object = {}) => ({ fact, priority: 1, value, ...more });

describe('the facts that a history keeps', () => {
  it('leave out the records that it holds anyway, and note absent values', () => {
    const reads = ['location', 'partner', 'now'].map((fact) => read(fact, 1));
    const kept = takeFactSnapshot([...reads, read('member', undefined), read('isBirthday', true)]);
    expect(kept).toStrictEqual([{ fact: 'member', priority: 1 }, read('isBirthday', true)]);
  });

  it.each<[string, unknown, object]>([
    ['a number', 5, { value: 5 }],
    ['null', null, { value: null }],
    ['a short list', ['a'], { value: ['a'] }],
    ['a long text', 'x'.repeat(1001), { cut: true }],
    [
      'a long list',
      Array.from({ length: 900 }, (_, index) => index),
      { value: Array.from({ length: 20 }, (_, index) => index), cut: true },
    ],
    ['a list of long texts', ['x'.repeat(2000)], { cut: true }],
    ['a large object', { a: 'x'.repeat(2000) }, { cut: true }],
  ])('are bounded: %s', (_, value, expected) => {
    expect(takeFactSnapshot([read('member', value)])).toEqual([{ fact: 'member', priority: 1, ...expected }]);
  });

  it('hold a hash in place of long params, and are 200 at most', () => {
    const params = { filter: 'x'.repeat(500) };
    expect(takeFactSnapshot([read('eligibleAmount', 1, { params })])).toEqual([
      { ...read('eligibleAmount', 1), paramsHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(takeFactSnapshot(Array.from({ length: 300 }, () => read('hour', 1)))).toHaveLength(200);
  });
});
