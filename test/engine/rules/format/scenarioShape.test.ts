import { compileCheck } from '#base/schema/parse';
import { expectShape } from '#engine/rules/format/scenarioShape';

test.each(['fired', 'notFired'])('%s names at most 100 rules, by keys of at most 100 characters', (field) => {
  const faultsOf = compileCheck(expectShape);
  const faults = (keys: string[]) => faultsOf({ [field]: keys }).map(({ path, kind }) => `${path} ${kind}`);
  const keys = Array.from({ length: 101 }, (_unused, n) => `rule-${n}`);
  expect(faults(keys.slice(1))).toEqual([]);
  expect(faults(keys)).toEqual([`${field} maxItems`]);
  expect(faults(['k'.repeat(100)])).toEqual([]);
  expect(faults(['k'.repeat(101)])).toEqual([`${field}.0 maxLength`]);
});
