import { compileCheck } from '#base/schema/parse';
import { actionPhrase } from '#engine/rules/explain/actionPhrase';
import { type Message, type MessageValues, messageShape, messageText } from '#engine/rules/language/message';
import { decideWith, rule, TestTarget } from '../builders';
import { base, faultsOf } from '../sampleRules';

const value = { fact: 'activity', path: '$.value' };
const texts = { en: 'Hello', de: 'Hallo', 'pt-BR': 'Olá', 'zh-Hant': '你好' };

describe('messageText', () => {
  const award = (facts: Record<string, unknown>) => (ref: { fact: string; path?: string }) =>
    facts[`${ref.fact} ${ref.path ?? '$'}`];

  it.each<[string, unknown]>([
    ['Hallo', 'de'],
    ['Hallo', 'de-CH'],
    ['Hallo', 'DE_ch'],
    ['Hello', 'en-GB-oxendict'],
    ['Olá', 'pt-br'],
    ['Hello', 'pt'],
    ['你好', 'zh-Hant-TW'],
    ['Hello', 'fr'],
    ['Hello', undefined],
    ['Hello', 7],
  ])('is %j for the locale %j', (expected, locale) => {
    expect(messageText(texts, undefined, award({ 'member $.locale': locale }))).toBe(expected);
  });

  it.each<[string, Message, MessageValues, unknown]>([
    [
      '3 more for a free drink',
      '{{missing}} more for a free drink',
      { missing: { of: { difference: [10, value] } } },
      7,
    ],
    ['0.1 and 0.1', '{{a}} and {{ a }}', { a: value }, 0.1],
    ['1000000000000000000000', '{{a}}', { a: value }, 1e21],
    ['0.0000001', '{{a}}', { a: value }, 1e-7],
    ['Web', '{{a}}', { a: value }, 'Web'],
    ['true', '{{a}}', { a: value }, true],
    ['TEA, MUG', '{{a}}', { a: value }, ['TEA', 'MUG']],
    ['2026-03-01T00:00:00.000Z', '{{a}}', { a: value }, new Date('2026-03-01')],
    ['nothing: ', 'nothing: {{a}}', { a: value }, undefined],
    ['$& stays', '{{a}} stays', { a: value }, '$&'],
    ['{{a}} stays', '{{a}} stays', { a: value }, '{{a}}'],
    ['x'.repeat(200), '{{a}}', { a: value }, 'x'.repeat(300)],
    ['x'.repeat(199), '{{a}}', { a: value }, `${'x'.repeat(199)}😀`],
  ])('is %j', (expected, message, values, fact) => {
    expect(messageText(message, values, award({ 'activity $.value': fact }))).toBe(expected);
  });
});

const missing = { of: { difference: [1000, value] } };

it('a rule logs, rejects and sets data with values, in the language of the member', async () => {
  const target = new TestTarget(0, { locale: 'de-CH' });
  const message = { en: '{{missing}} more', de: 'noch {{missing}}' };
  const some = rule({
    actions: [
      { type: 'log', message, with: { missing } },
      { type: 'setData', values: { plain: '{{missing}}' }, texts: { hint: message }, with: { missing } },
    ],
  });
  const { decision } = await decideWith([some], { target });
  expect(target.effects).toEqual([
    { type: 'log', message: 'noch 900' },
    { type: 'setData', values: { plain: '{{missing}}', hint: 'noch 900' } },
  ]);
  expect(decision.factsRead).toContainEqual({ fact: 'member', path: '$.locale', priority: 1, value: 'de-CH' });
  const refusing = rule({ actions: [{ type: 'reject', message: 'At least {{missing}}', with: { missing } }] });
  expect((await decideWith([refusing])).decision.errors).toMatchObject([{ code: 2400, message: 'At least 900' }]);
});

test.each<[string, (text: string) => Message]>([
  ['a text', (text) => text],
  ['a text for one language', (text) => ({ en: text })],
])('%s has at most 500 characters', (_what, messageOf) => {
  const faultsOf = compileCheck(messageShape('What it says'));
  expect(faultsOf(messageOf('x'.repeat(500)))).toEqual([]);
  expect(faultsOf(messageOf('x'.repeat(501)))).toContainEqual(expect.objectContaining({ kind: 'maxLength' }));
});

describe('files with a faulty text are refused', () => {
  it.each<[string, object, string[]]>([
    [
      'an unknown name',
      { message: '{{missin}} more', with: { missing } },
      [
        '"{{missin}} : "with" has no value "missin" (did you mean "missing"?)',
        '"missing":{": no text has {{missing}} (did you mean "missin"?)',
      ],
    ],
    ['a name without values', { message: '{{missing}} more' }, ['"{{missing}}: "with" has no value "missing"']],
    ['an unused value', { message: 'more', with: { missing } }, ['"missing":{": no text has {{missing}}']],
    [
      'an unknown fact',
      { message: '{{a}}', with: { a: { fact: 'activty' } } },
      ['"activty"}}}: unknown fact "activty" (did you mean "activity"?)'],
    ],
    [
      'an amount of a text',
      { message: '{{a}}', with: { a: { of: { fact: 'activity', path: '$.type' } } } },
      ['{"fact":"act: activity $.type is a text; an amount needs a number'],
    ],
    [
      'a language by its name',
      { message: { english: 'Hi' } },
      ['"english":"H: "english" is no language tag, such as en or de-CH (did you mean "en"?)'],
    ],
    [
      'a tag with an underscore',
      { message: { en: 'Hi', de_CH: 'Salü' } },
      ['"de_CH":"Sal: "de_CH" is no language tag, such as en or de-CH (did you mean "de-CH"?)'],
    ],
    ['an unknown language', { message: { xx: 'Hi' } }, ['"xx":"Hi"}}]: "xx" is no language tag, such as en or de-CH']],
    ['no language', { message: {} }, ['{}}]}: message must NOT have fewer than 1 properties']],
  ])('a log with %s is a fault', async (_, params, expected) => {
    expect(await faultsOf({ ...base, actions: [{ type: 'log', ...params }] })).toEqual(expected);
  });

  it.each<[string, object, string[]]>([
    ['neither values nor texts', {}, ['{"type":"set: setData needs "values" or "texts"']],
    ['a field twice', { values: { a: 1 }, texts: { a: 'A' } }, ['"a":"A"}}]}: "values" has the field "a" too']],
    ['an unknown name', { texts: { a: '{{b}}' } }, ['"{{b}}"}}]}: "with" has no value "b"']],
  ])('data with %s is a fault', async (_, params, expected) => {
    expect(await faultsOf({ ...base, actions: [{ type: 'setData', ...params }] })).toEqual(expected);
  });
});

it.each([
  ['log "{{a}} more", where a is the activity\'s value', { type: 'log', message: '{{a}} more', with: { a: value } }],
  ['set in the result\'s data: {"n":1}; hint "Hi"', { type: 'setData', values: { n: 1 }, texts: { hint: 'Hi' } }],
])('an action with texts is read as: %s', (phrase, action) => expect(actionPhrase(action)).toBe(phrase));
