import { readRules } from '#engine/rules/read/readRules';
import { base, definitions, file, value, withCondition } from './sampleRules';

describe('named conditions', () => {
  const weekend = {
    namedCondition: 'weekend',
    conditions: { any: [{ fact: 'dayOfWeek', operator: 'in', value: [0, 6] }] },
  };

  it('stand in any file of the program and are expanded where they are used', async () => {
    const rule = withCondition({ condition: 'weekend', priority: 3 });
    const { rules, errors } = await readRules([file(rule), file([weekend], 'demo/z.json')], definitions);
    expect(errors).toEqual([]);
    expect(rules[0]?.conditions).toEqual({ all: [{ priority: 3, any: weekend.conditions.any }] });
  });

  it('belong to their program', async () => {
    const { errors } = await readRules(
      [file({ ...base, conditions: { condition: 'weekend' } }), file(weekend, 'other/z.json')],
      definitions,
    );
    expect(errors).toMatchObject([{ message: 'unknown named condition "weekend"' }]);
  });

  it.each<[string, unknown[], string[]]>([
    [
      'a circle',
      [
        { namedCondition: 'a', conditions: { condition: 'b' } },
        { namedCondition: 'b', conditions: { all: [{ condition: 'a' }] } },
      ],
      ['"a" refers to itself: a -> b -> a'],
    ],
    ['a second definition', [weekend, weekend], ['the named condition "weekend" is defined twice']],
    [
      'an own fault',
      [{ namedCondition: 'a', conditions: { any: [] } }],
      ['an empty "any" says nothing; leave it out, or use {"all": []} for always'],
    ],
    [
      'a misspelt field',
      [{ ...weekend, descripton: 'x' }],
      ['unknown field "descripton" (did you mean "description"?)'],
    ],
  ])('are refused: %s', async (_, entries, expected) => {
    const { errors } = await readRules([file(entries)], definitions);
    expect(errors.map(({ message }) => message)).toEqual(expected);
  });

  it('cannot make a rule larger than its limits', async () => {
    const levels = Array.from({ length: 30 }, (_, level) => ({
      namedCondition: `n${level}`,
      conditions: { all: level === 29 ? [value] : [{ condition: `n${level + 1}` }, { condition: `n${level + 1}` }] },
    }));
    const rule = { ...base, conditions: { all: [{ condition: 'n0' }] } };
    const { errors } = await readRules([file([...levels, rule])], definitions);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^these are \d+ conditions; a rule has at most 500$/),
    ]);
  });
});
