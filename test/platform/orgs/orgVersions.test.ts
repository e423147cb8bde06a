import { freshVersions } from '#platform/orgs/orgVersions';

const readAt = (ms: number, ruleSetVersion: number) => ({ ruleSetVersion, readAt: new Date(ms) });

test.each([
  ['none are known', [undefined], undefined],
  ['there are no requests', [], undefined],
  ['one request came without', [readAt(990, 1), undefined], undefined],
  ['the newest was read 50 ms ago', [readAt(940, 1), readAt(950, 2), readAt(945, 1)], 2],
  ['the newest was read earlier than that', [readAt(949, 1)], undefined],
  ['it was read later than now, as by another clock', [readAt(1001, 1)], undefined],
])('versions of an org are used again only when they were just read: %s', (_, known, ruleSetVersion) => {
  expect(freshVersions(known, new Date(1000))?.ruleSetVersion).toBe(ruleSetVersion);
});
