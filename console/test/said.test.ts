import path from 'node:path';
import { type TSchema, Type } from '@sinclair/typebox';
import { compileCheck } from '../../src/base/schema/parse';
import { say } from '../src/i18n/german/german';
import { said } from '../src/i18n/german/said';
import { makeSay } from '../src/i18n/saidTexts';
import { saidBySource } from './support/saidBySource';

/** Folders and files of `src` whose texts no page of the console shows. */
const notShown = [
  // Of commands, of the start, of logs.
  /^(commands|operations\/embedded|exchange\/examples|members\/reconcile|operations\/migrations|base\/db)\//,
  /^(platform\/(audit|infrastructure)|base\/tracing|exchange\/webhooks\/deliver)\//,
  /^(operations\/jobs\/(jobs|recordRun)|exchange\/imports\/run\/runNextImport|activities\/inbox\/inboxDrain)\./,
  /^publishing\/(rulesets\/(reportDifferences|files\/(logLoad|startReload|watchFiles))|simulations\/runNextSimulation)\./,
  /simulate\/evaluableRules\./,
  // Of sentences about rules, which the service says in German itself.
  /^engine\/rules\/(german|words|explain)\//,
  // Of what the console never asks for: clones and wipes, definition files, bulk posts, lookups in bodies.
  /^(operations\/sandbox|exchange\/definitions|platform\/(preprocess|events))\//,
  /^(activities\/post\/postBulk|platform\/http\/collection\/rowAnswer|members\/accounts\/parseUnlinkQuery)\./,
  // Of what the client sends by itself: headers, keys of requests, arguments of lists.
  /^platform\/http\/(keys\/.*|collection\/etag|body\/(formFields|refuseUnreadable|unreadableAnswer))\./,
  /^platform\/http\/(connections|metrics|middleware|mount|openServer|unreadableAnswer)\./,
  /^server\/consoleFiles\/|^activities\/post\/(postOptions|cancelActivity)\./,
  /^base\/query\/(cursor|page|parseQuery|select|singleArguments|sort|read\/.*)\./,
];

/** Texts that only stand within others; whole ones are below. */
const parts = new Set([
  '{} is {} {}, and the column "{}" has {}',
  '{} is {}, and {} is {}',
  '{} of the tier policy "{}"',
  'also has {} under the same conditions as',
  'never fires: what meets it meets a rule that {}:',
  'never fires: {}',
  'the table has no column "{}"{}',
  ' (it is for other activity types)',
  'The body {}',
  // Answers and examples, which are no faults.
  'Logged out',
  'Password changed',
  'not evaluated',
]);

test('every fault that a page can show has German words', () => {
  // A part that differs may be empty, such as a hint.
  const isSaid = (text: string) =>
    ['x', ''].map((part) => text.replaceAll('{}', part)).some((filled) => say(filled) !== filled);
  const shown = saidBySource(path.resolve(__dirname, '../../src')).filter(
    ({ text, file }) => /[a-z] |\{\} [a-z]/.test(text) && !parts.has(text) && !notShown.some((each) => each.test(file)),
  );
  expect(shown.length).toBeGreaterThan(450);
  const missing = shown.filter(({ text }) => !isSaid(text));
  expect(missing.map(({ text, file }) => `${file}: ${text}`)).toEqual([]);
});

test('a translation takes only parts that the English text has', () => {
  const wrong = Object.entries(said).filter(([english, german]) => {
    const count = english.split('{}').length - 1;
    return [...german.matchAll(/\{(\d)/g)].some(([, at]) => Number(at) > count);
  });
  expect(wrong).toEqual([]);
});

test.each<[string, TSchema, unknown, string]>([
  ['required', Type.Object({ a: Type.String() }), {}, 'fehlt'],
  ['unknown field', Type.Object({}, { additionalProperties: false }), { a: 1 }, 'ist hier kein Feld'],
  ['text', Type.String(), 1, 'muss ein Text sein'],
  ['number', Type.Number(), 'a', 'muss eine Zahl sein'],
  ['integer', Type.Integer(), 1.5, 'muss eine ganze Zahl sein'],
  ['boolean', Type.Boolean(), 1, 'muss ja oder nein sein'],
  ['list', Type.Array(Type.String()), 1, 'muss eine Liste sein'],
  ['object', Type.Object({}), 1, 'muss ein Objekt sein'],
  ['two types', Type.Unsafe({ type: ['string', 'null'] }), 1, 'muss ein Text oder leer sein'],
  ['minLength', Type.String({ minLength: 2 }), 'a', 'muss mindestens 2 Zeichen haben'],
  ['maxLength', Type.String({ maxLength: 2 }), 'abc', 'darf höchstens 2 Zeichen haben'],
  ['minimum', Type.Number({ minimum: 1 }), 0, 'muss mindestens 1 sein'],
  ['maximum', Type.Number({ maximum: 1 }), 2, 'darf höchstens 1 sein'],
  ['exclusiveMinimum', Type.Number({ exclusiveMinimum: 1 }), 1, 'muss größer als 1 sein'],
  ['exclusiveMaximum', Type.Number({ exclusiveMaximum: 1 }), 1, 'muss kleiner als 1 sein'],
  ['multipleOf', Type.Number({ multipleOf: 5 }), 1, 'muss ein Vielfaches von 5 sein'],
  ['minItems', Type.Array(Type.Any(), { minItems: 1 }), [], 'muss mindestens 1 Eintrag haben'],
  ['maxItems', Type.Array(Type.Any(), { maxItems: 1 }), [1, 2], 'darf höchstens 1 Eintrag haben'],
  [
    'uniqueItems',
    Type.Array(Type.Any(), { uniqueItems: true }),
    [7, 7],
    'darf keinen Eintrag zweimal haben (die Einträge 0 und 1, gezählt von 0, sind gleich)',
  ],
  ['minProperties', Type.Object({}, { minProperties: 1 }), {}, 'muss mindestens 1 Feld haben'],
  ['maxProperties', Type.Object({}, { maxProperties: 0 }), { a: 1 }, 'darf höchstens 0 Felder haben'],
  ['pattern', Type.String({ pattern: '^a$' }), 'b', 'muss zum Muster ^a$ passen'],
  ['email', Type.String({ format: 'email' }), 'b', 'muss eine E-Mail-Adresse sein'],
  ['uri', Type.String({ format: 'uri' }), 'b', 'muss eine Internetadresse sein'],
  ['enum', Type.Unsafe({ enum: ['a', 'b'] }), 'c', 'muss eines davon sein: a, b'],
  ['const', Type.Literal('a'), 'c', 'hat nicht den Wert, der hier stehen muss'],
  ['one of two', Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c', 'hat nicht den Wert, der hier stehen muss'],
  [
    'control characters',
    Type.String(),
    '\u0001',
    say('must hold no control characters but tab and newline, and no lone surrogates'),
  ],
  [
    'a name',
    Type.Unsafe({ type: 'object', propertyNames: { maxLength: 2 } }),
    { abc: 1 },
    'hat ein Feld mit unzulässigem Namen: Er darf höchstens 2 Zeichen haben',
  ],
])('the fault of a schema in German: %s', (_name, schema, value, german) => {
  expect(compileCheck(schema)(value).map(({ message }) => say(message))).toContain(german);
});

test.each([
  // A field that a text begins with, and a name that may be meant.
  ['priority must be >= 1', 'priority muss mindestens 1 sein'],
  [
    'lineItems[0] must be a whole number or a text; it is true',
    'lineItems[0] muss eine ganze Zahl oder ein Text sein; angegeben ist true',
  ],
  ['unknown fact "activty" (did you mean "activity"?)', 'unbekannte Angabe „activty“ (meinten Sie „activity“?)'],
  ['unknown purse "Pionts"', 'unbekannte Börse „Pionts“'],
  ['Program not found', 'Nicht gefunden: Programm'],
  [
    'greaterThan does not fit activity $.type, which is a text',
    'greaterThan passt nicht zu activity $.type: Das ist ein Text',
  ],
  [
    'equal does not fit activity $.lineItems, which is a list; use someFact:equal or everyFact:equal',
    'equal passt nicht zu activity $.lineItems: Das ist eine Liste; nehmen Sie someFact:equal oder everyFact:equal',
  ],
  ['activity $.value is a number, and "a" is a text', 'activity $.value ist eine Zahl, und "a" ist ein Text'],
  ['"k" is a text, and the column "c" has numbers', '"k" ist ein Text, und die Spalte „c“ hat Zahlen'],
  [
    '"a" never fires: what meets it meets a rule that stops all after it: "b" (p/r.json:1)',
    '„a“ greift nie: Was sie erfüllt, erfüllt auch eine Regel, die alle nach ihr aufhält: „b“ (p/r.json:1)',
  ],
  ['"a" never fires: its conditions contradict each other', '„a“ greift nie: Ihre Bedingungen widersprechen einander'],
  [
    '"a" also has add 5 points under the same conditions as "b" (p/r.json:1)',
    '„a“ hat add 5 points unter denselben Bedingungen wie „b“ (p/r.json:1)',
  ],
  ['no rule counts the metric "m" of the tier policy "T"', 'keine Regel zählt die Kennzahl „m“ des Stufenmodells „T“'],
  ['the table has no column "a" (did you mean "b"?)', 'die Tabelle hat keine Spalte „a“ (meinten Sie „b“?)'],
  // Differences of tests.
  ['expected 100 Bonus Points, got 50', 'erwartet: 100 Bonus Points, gekommen: 50'],
  ['"tea" did not fire (no row of it)', '„tea“ griff nicht (keine ihrer Zeilen)'],
  [
    '"tea" did not fire (activity $.value greaterThan 10, but it is 5)',
    '„tea“ griff nicht (activity $.value greaterThan 10, es ist aber 5)',
  ],
  [
    'test "one" fails: step 1 (Accrual): "tea" did not fire (No rule of the test is for Accrual; "fired" names further ones.); "tea" fired',
    'der Test „one“ ist nicht bestanden: Schritt 1 (Accrual): „tea“ griff nicht (Keine Regel des Tests ist für Accrual; „fired“ nennt weitere.); „tea“ griff',
  ],
  [
    'unexpected error 2100 Not enough points in Points: 50 needed, 0 available at step 3 (Redemption)',
    'unerwarteter Fehler: 2100 Nicht genug Punkte in Points: nötig 50, verfügbar 0 bei Schritt 3 (Redemption)',
  ],
  ['"tea" fired', '„tea“ griff'],
  ['expected data name "a", got missing', 'erwartet in den Daten: name "a", gekommen: nichts'],
  ['expected error 2100, got none', 'erwartet: Fehler 2100, gekommen: keiner'],
  ['expected level "Gold" of Status, got null', 'erwartete Stufe: "Gold" in Status, gekommen: leer'],
  ['expected balance 10 Points, got 0', 'erwarteter Stand: 10 Points, gekommen: 0'],
  ['expected no offers, got TEN applied with 5', 'erwartet: kein Angebot, gekommen: TEN angewendet mit 5'],
  ['activities[0]: expected 1 Points, got 0', 'Aktivität 0, von 0 gezählt: erwartet: 1 Points, gekommen: 0'],
  ['step 2 (a day later): expected 1 Points, got 0', 'Schritt 2 (a day later): erwartet: 1 Points, gekommen: 0'],
  [
    'test "one" fails: expected 1 Points, got 0; "tea" did not fire',
    'der Test „one“ ist nicht bestanden: erwartet: 1 Points, gekommen: 0; „tea“ griff nicht',
  ],
  // A sentence in German that repeats a fault.
  [
    'Sie scheiterte: Not enough points in Points: 9 needed, 2 available.',
    'Sie scheiterte: Nicht genug Punkte in Points: nötig 9, verfügbar 2.',
  ],
  ['something else', 'something else'],
])('%s', (english, german) => {
  expect(say(english)).toBe(german);
});

describe('a table of texts', () => {
  const sayBy = makeSay({
    'a {} b {}': '2 {2} 1 {1}',
    'a {} b x': 'the exact one',
    'of {}': 'von {1:said}',
    tea: 'Tee',
  });

  test('takes the text that says most itself', () => {
    expect(['a 1 b 2', 'a 1 b x'].map(sayBy)).toEqual(['2 2 1 1', 'the exact one']);
  });

  test('says the parts that are to be said, also several', () => {
    expect(['of tea', 'of milk', 'of tea and x', 'of tea and a, b'].map(sayBy)).toEqual([
      ...['von Tee', 'von milk', 'von Tee und x', 'von tea and a, b'],
    ]);
  });

  test('leaves alone what it has not, and what only seems to begin and end so', () => {
    expect(['of', 'a b', 'toString', 'a  b'].map(sayBy)).toEqual(['of', 'a b', 'toString', 'a  b']);
  });
});

test('a text of very many parts ends, and one that is too long stays as it is', () => {
  expect(say(`${'x: '.repeat(300)}y`)).toBe(`${'x: '.repeat(300)}y`);
  const long = `is taken by another record ${'x'.repeat(2000)}`;
  expect(say(long)).toBe(long);
});
