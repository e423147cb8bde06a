import { ruleJsonSchema } from '../../src/engine/rules/editor/ruleJsonSchema';
import { germanTypes } from '../../src/engine/rules/words/german/germanNames';
import { openApi } from '../../src/platform/http/openApi/openApi';
import { ruleActivityTypes } from '../../src/records/activities/activity';
import { allRoutes } from '../../src/server/routes';
import { resources } from '../../src/server/services/resources';
import { definitions as testDefinitions } from '../../test/engine/rules/sampleRules';
import { definitionNames } from '../src/definitions/definitionNames';
import type { ApiDocument } from '../src/definitions/schema/document';
import { createFields, type Field, type Shape, updateFields } from '../src/definitions/schema/shape';
import type { FormTexts } from '../src/i18n/formTexts';
import { german } from '../src/i18n/german/german';
import { i18nProvider } from '../src/i18n/i18nProvider';
import { fieldLabel } from '../src/i18n/useFieldLabel';
import { fieldHelp, helpKeys } from '../src/i18n/useHelp';
import { type FieldShape, fieldsOf, type NamedField } from '../src/rules/schema/fieldShape';
import { actionTypes, knownFacts, type RuleSchema } from '../src/rules/schema/knownFacts';

/** Fields whose names are for machines. */
const sameName = ['$schema'];

/** The names of fields, and what is said of each, by its path. */
interface Shown {
  names: Set<string>;
  helps: Map<string, string>;
}

/** A field that says something of itself in English alone, or nothing: the dictionary has the German. */
const lacksGerman = (texts: FormTexts | undefined, part: 'label' | 'help') => texts?.[part]?.de === undefined;

/** What the forms of definitions and of members say of their fields. */
function definitions(document: ApiDocument): Shown {
  const shown: Shown = { names: new Set(), helps: new Map() };
  const inShape = (shape: Shape): void => {
    if (shape.kind === 'object') shape.fields.forEach(inField);
    if (shape.kind === 'list') inShape(shape.element);
  };
  const inField = ({ name, path, description, texts, shape }: Field): void => {
    if (lacksGerman(texts, 'label')) shown.names.add(name);
    if (description && lacksGerman(texts, 'help')) shown.helps.set(path, description);
    inShape(shape);
  };
  for (const name of [...definitionNames, 'members']) {
    [...createFields(document, name), ...updateFields(document, name)].forEach(inField);
  }
  return shown;
}

/** What the form of a rule says of its fields and actions. */
function rules(schema: RuleSchema): Shown {
  const shown: Shown = { names: new Set(), helps: new Map() };
  const inShape = (shape: FieldShape): void => {
    if (shape.kind === 'object') shape.fields.forEach(inField);
    if (shape.kind === 'list' || shape.kind === 'record') inShape(shape.item);
  };
  const inField = ({ name, path, description, texts, isOfOrg, shape }: NamedField): void => {
    if (!isOfOrg && lacksGerman(texts, 'label')) shown.names.add(name);
    if (description !== '' && lacksGerman(texts, 'help')) shown.helps.set(path, description);
    inShape(shape);
  };
  fieldsOf(schema.$defs.rule ?? {}, schema, 'rule').forEach(inField);
  for (const { name, description } of actionTypes(schema)) {
    shown.helps.set(name, description);
    fieldsOf(schema.$defs[name] ?? {}, schema, name).forEach(inField);
  }
  return shown;
}

const schema = ruleJsonSchema(testDefinitions) as unknown as RuleSchema;
const document = JSON.parse(JSON.stringify(openApi({ routes: allRoutes, resources, version: '1' }))) as ApiDocument;
// An org's names make some fields known that are free without them.
const shown = [definitions(document), rules(schema), rules(ruleJsonSchema() as unknown as RuleSchema)];
const helps = shown.flatMap((each) => [...each.helps]);

/** The key by which a field finds its German help. */
const keyFor = (path: string) => helpKeys(path).find((key) => Object.hasOwn(german.helps, key));

test('every help text of a form has a German one, and no German one is left over', () => {
  expect(helps.filter(([path]) => keyFor(path) === undefined)).toEqual([]);
  const used = new Set(helps.map(([path]) => keyFor(path)));
  expect(Object.keys(german.helps).filter((key) => !used.has(key))).toEqual([]);
});

test('fields with different English help do not share a German help text', () => {
  const englishByKey = new Map<string | undefined, string>();
  const other = helps.filter(([path, english]) => {
    const first = englishByKey.get(keyFor(path)) ?? english;
    englishByKey.set(keyFor(path), first);
    return first !== english;
  });
  expect(other).toEqual([]);
});

test('every field of a form has a German name', () => {
  const names = new Set(shown.flatMap((each) => [...each.names]));
  const missing = [...names].filter((name) => !Object.hasOwn(german.fields, name) && !sameName.includes(name));
  expect(missing).toEqual([]);
});

test('every fact has a German name, and so has every part of a fact that can be chosen', () => {
  const known = knownFacts(schema);
  expect(known.map(({ name }) => name)).toEqual(Object.keys(german.facts.names));
  const ofOrg = new Set(JSON.stringify(testDefinitions).match(/\w+/g));
  const parts = known.flatMap(({ paths }) => paths).flatMap((each) => each.match(/\w+/g) ?? []);
  const missing = [...new Set(parts)].filter((name) => !Object.hasOwn(german.fields, name) && !ofOrg.has(name));
  expect(missing).toEqual([]);
});

test('an activity type has one name in the console and in the sentences of the service', () => {
  expect(ruleActivityTypes.map((type) => germanTypes([type]).toLowerCase())).toEqual(
    ruleActivityTypes.map((type) => german.choices[type]?.toLowerCase()),
  );
});

describe('a field whose definition has words', () => {
  const purse = createFields(document, 'pursepolicies');
  const expiry = purse.find(({ name }) => name === 'expiry')?.shape;
  const within = expiry?.kind === 'object' ? expiry.fields : [];
  const named = (name: string) => [...purse, ...within].find((field) => field.name === name) as Field;
  const labelAndHelp = async (field: Field, locale: string) => {
    await i18nProvider.changeLocale(locale);
    return [fieldLabel(field, locale, i18nProvider.translate), fieldHelp(field, locale, i18nProvider.translate)];
  };
  afterAll(() => i18nProvider.changeLocale('en'));

  test('shows them in the forms of the console in each language', async () => {
    const cost = named('costPerPoint');
    expect(await labelAndHelp(cost, 'en')).toEqual([
      'Cost of a point',
      'In the currency of the program; for the liability in reports',
    ]);
    expect(await labelAndHelp(cost, 'de')).toEqual([
      'Kosten je Punkt',
      'In der Währung des Programms; für die Verbindlichkeit in Berichten',
    ]);
  });

  test('falls back to the words of the console, then to English, where it has none in a language', async () => {
    const label = { en: 'Called' };
    const help = { en: 'What people call it' };
    const plain = { ...named('costPerPoint'), path: 'Thing.nickname', description: help.en };
    expect(await labelAndHelp({ ...plain, name: 'nickname', texts: { label, help } }, 'de')).toEqual([
      'Called',
      help.en,
    ]);
    expect((await labelAndHelp({ ...plain, name: 'city', texts: { label, help } }, 'de'))[0]).toBe('Ort');
    expect((await labelAndHelp({ ...plain, name: 'callName', texts: undefined }, 'de'))[0]).toBe('Call name');
  });

  test('shows the names of its values', () => {
    expect(named('type').texts?.choices?.rolling).toEqual({ en: 'Rolling', de: 'Gleitend' });
    expect(named('type').texts?.help?.de).toContain('Kalendertag: am Ende eines Tages im Jahr');
  });
});
