import { type TSchema, Type } from '@sinclair/typebox';
import { type Message, message } from '../../src/base/common/messages/message';
import { type MessageId, messages } from '../../src/base/common/messages/messages';
import { compileCheck } from '../../src/base/schema/parse';
import { messages as german } from '../src/i18n/german/messages/messages';
import { translated } from '../src/i18n/serviceMessage';

const inGerman = (each: Message) => translated(each, german);

const namesIn = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test('every message of the service has a German translation', () => {
  const ids = Object.keys(messages) as MessageId[];
  expect(ids.filter((id) => german[id] === undefined)).toEqual([]);
});

test('a German message uses only parameters of the English one', () => {
  const strange = Object.entries(messages).filter(([id, template]) => {
    const translation = german[id as MessageId];
    return typeof translation === 'string' && namesIn(translation).some((name) => !namesIn(template).includes(name));
  });
  expect(strange).toEqual([]);
});

test('a German message that is made from parameters knows all values of them', () => {
  const made = Object.entries(messages).flatMap(([id, template]) => {
    const translation = german[id as MessageId];
    const params = Object.fromEntries(namesIn(template).map((name) => [name, '7']));
    return typeof translation === 'function' ? [translation(params)] : [];
  });
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((text) => text.includes('undefined') || !text.includes('7'))).toEqual([]);
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
  ['maxItems', Type.Array(Type.Any(), { maxItems: 2 }), [1, 2, 3], 'darf höchstens 2 Einträge haben'],
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
    'darf keine Steuerzeichen außer Tabulator und Zeilenumbruch enthalten und keine halben Zeichen',
  ],
  [
    'a name',
    Type.Unsafe({ type: 'object', propertyNames: { maxLength: 2 } }),
    { abc: 1 },
    'hat ein Feld mit unzulässigem Namen: Er darf höchstens 2 Zeichen haben',
  ],
])('a fault of a schema has an id and a German message: %s', (_name, schema, value, text) => {
  expect(compileCheck(schema)(value).map(inGerman)).toContain(text);
});

test.each<[Message, string]>([
  [message('http.notFound', { what: 'Program' }), 'Nicht gefunden: Programm'],
  [
    message('words.didYouMean', { fault: message('rules.unknownFact', { fact: 'activty' }), name: 'activity' }),
    'unbekannte Angabe „activty“ (meinten Sie „activity“?)',
  ],
  // A rule said it, or a version that has other messages.
  [{ message: 'Only for adults' }, 'Only for adults'],
  [{ message: 'is new', messageId: 'not.known' }, 'is new'],
  [{ message: 'unknown fact "x"', messageId: 'rules.unknownFact' }, 'unknown fact "x"'],
])('%j in German is "%s"', (each, text) => {
  expect(inGerman(each)).toBe(text);
});
