import { readRules } from '#engine/rules/read/readRules';
import { base, definitions, faultsOf, file } from '../sampleRules';

const withMember = (member: object) => ({
  ...base,
  tests: [{ name: 'a', activity: { type: 'Accrual' }, member, expect: { fired: ['base'] } }],
});

it.each<[string, object]>([
  ['all that a program names', { segments: ['VIP', 'French'], tier: { Status: 'Gold' }, purse: { Points: 5 } }],
  ['dates by name', { segmentSince: { VIP: '2026-01-01' }, tierSince: { Status: '2026-01-01T00:00:00Z' } }],
  ['a purse with its parts', { purse: { 'Bonus Points': { balance: 5, debt: 1 } } }],
  ['a visit', { lastVisit: '2026-01-01T00:00:00Z', processedAccruals: 3 }],
])('a test member may have %s', async (_, member) => {
  expect(await faultsOf(withMember(member))).toEqual([]);
});

it.each<[string, object, string]>([
  ['a segment', { segments: ['VIB'] }, 'unknown segment "VIB" (did you mean "VIP"?)'],
  ['since when in a segment', { segmentSince: { French: '2026-01-01' } }, 'unknown segment without a query "French"'],
  ['a tier policy', { tierNumber: { Statis: 2 } }, 'unknown tier policy "Statis" (did you mean "Status"?)'],
  ['a level', { tier: { Status: 'Gould' } }, 'unknown tier level "Gould" (did you mean "Gold"?)'],
  ['a purse', { purse: { Pionts: 5 } }, 'unknown purse "Pionts" (did you mean "Points"?)'],
  ['a part of a purse', { purse: { Points: { blance: 5 } } }, 'unknown field "blance" (did you mean "balance"?)'],
  ['a field', { segmets: [] }, 'unknown field "segmets" (did you mean "segments"?)'],
  ['what is missing of a challenge', { tierMissing: { Status: -1 } }, 'Status must be >= 0'],
])('a fault of a test member is named: %s', async (_, member, message) => {
  const { errors } = await readRules([file(withMember(member))], definitions);
  expect(errors.map((error) => error.message)).toEqual([message]);
});

it('a test member is checked fast among thousands of segments', async () => {
  const segments = Array.from({ length: 5000 }, (_, n) => `Segment ${n}`);
  const started = performance.now();
  const { errors } = await readRules([file(withMember({ segments: ['Segment 7'] }))], { ...definitions, segments });
  expect(errors).toEqual([]);
  expect(performance.now() - started).toBeLessThan(5000);
});
