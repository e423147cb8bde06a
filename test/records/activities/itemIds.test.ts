import { fc, test as property } from '@fast-check/jest';
import { readCancel, readPosted } from '#records/activities/readActivity';

/** docs/design/activities.md, step 1: which ids items have that were posted without. */
const now = new Date('2026-11-26T12:00:00.000Z');
const posted = (ids: readonly (string | undefined)[], field: 'lineItems' | 'tenderItems') => {
  const items = ids.map((_id) => ({ ...(_id === undefined ? {} : { _id }) }));
  const { activity, faults } = readPosted({ type: 'Accrual', loyaltyID: 'L-1', value: 1, [field]: items }, now);
  expect(faults).toEqual([]);
  return (activity[field] ?? []).map(({ _id }) => _id);
};

test.each([
  ['none has one', [undefined, undefined], ['1', '2']],
  ['all have one', ['b', 'a'], ['b', 'a']],
  ['some have one', ['x', undefined, 'y', undefined], ['x', '2', 'y', '4']],
  ['one has the place of another', [undefined, '1', undefined], ['2', '1', '3']],
  ['the last has the place of the first', [undefined, undefined, '1'], ['2', '3', '1']],
])('lines get ids when %s', (_what, sent, expected) => {
  expect(posted(sent, 'lineItems')).toEqual(expected);
  expect(posted(sent, 'tenderItems')).toEqual(expected);
});

property.prop([
  fc.array(fc.option(fc.constantFrom('1', '2', '3', '4', '10', 'a'), { nil: undefined }), { maxLength: 12 }),
  fc.constantFrom('lineItems' as const, 'tenderItems' as const),
])('ids that were sent stay, all others are new and differ from every other one', (sent, field) => {
  const ids = posted(sent, field);
  const inputs = sent.filter((each) => each !== undefined);
  sent.forEach((each, index) => {
    if (each !== undefined) expect(ids[index]).toBe(each);
  });
  const made = ids.filter((_each, index) => sent[index] === undefined);
  expect(new Set([...made, ...inputs]).size).toBe(made.length + new Set(inputs).size);
  expect(posted(sent, field)).toEqual(ids);
});

test('lines of a cancellation name lines of the original, and get none', () => {
  const body = { lineItems: [{ itemSKU: 'TEA-1' }] };
  expect(readCancel(body, now).activity.lineItems).toEqual(body.lineItems);
  const { activity } = readPosted({ ...body, type: 'Cancellation', originalTxnId: 'a'.repeat(24) }, now);
  expect(activity.lineItems).toEqual(body.lineItems);
});
