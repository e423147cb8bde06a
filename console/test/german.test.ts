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
import { german } from '../src/i18n/german/german';
import { type FieldShape, fieldsOf, type NamedField } from '../src/rules/schema/fieldShape';
import { actionTypes, knownFacts, type RuleSchema } from '../src/rules/schema/knownFacts';

/** Fields whose names are for machines. */
const sameName = ['$schema'];

interface Told {
  names: Set<string>;
  helps: Set<string>;
}

/** What the forms of definitions and of members say of their fields. */
function definitions(document: ApiDocument): Told {
  const told: Told = { names: new Set(), helps: new Set() };
  const inShape = (shape: Shape): void => {
    if (shape.kind === 'object') shape.fields.forEach(inField);
    if (shape.kind === 'list') inShape(shape.element);
  };
  const inField = ({ name, description, shape }: Field): void => {
    told.names.add(name);
    if (description) told.helps.add(description);
    inShape(shape);
  };
  for (const name of [...definitionNames, 'members']) {
    [...createFields(document, name), ...updateFields(document, name)].forEach(inField);
  }
  return told;
}

/** What the form of a rule says of its fields and actions. */
function rules(schema: RuleSchema): Told {
  const told: Told = { names: new Set(), helps: new Set() };
  const inShape = (shape: FieldShape): void => {
    if (shape.kind === 'object') shape.fields.forEach(inField);
    if (shape.kind === 'list' || shape.kind === 'record') inShape(shape.item);
  };
  const inField = ({ name, description, isOfOrg, shape }: NamedField): void => {
    if (!isOfOrg) told.names.add(name);
    if (description !== '') told.helps.add(description);
    inShape(shape);
  };
  fieldsOf(schema.$defs.rule ?? {}, schema).forEach(inField);
  for (const { name, description } of actionTypes(schema)) {
    told.helps.add(description);
    fieldsOf(schema.$defs[name] ?? {}, schema).forEach(inField);
  }
  return told;
}

const schema = ruleJsonSchema(testDefinitions) as unknown as RuleSchema;
const document = JSON.parse(JSON.stringify(openApi({ routes: allRoutes, resources, version: '1' }))) as ApiDocument;
// An org's names make some fields known that are free without them.
const told = [definitions(document), rules(schema), rules(ruleJsonSchema() as unknown as RuleSchema)];

test('every help text of a form has a German one, and none is left over', () => {
  const said = new Set(told.flatMap(({ helps }) => [...helps]));
  expect([...said].filter((english) => !Object.hasOwn(german.helps, english))).toEqual([]);
  expect(Object.keys(german.helps).filter((english) => !said.has(english))).toEqual([]);
});

test('every field of a form has a German name', () => {
  const names = new Set(told.flatMap((each) => [...each.names]));
  const missing = [...names].filter((name) => !Object.hasOwn(german.fields, name) && !sameName.includes(name));
  expect(missing).toEqual([]);
});

test('every fact has a German name, and every part of one that can be chosen', () => {
  const known = knownFacts(schema);
  expect(known.map(({ name }) => name)).toEqual(Object.keys(german.facts.names));
  const ofOrg = new Set(JSON.stringify(testDefinitions).match(/\w+/g));
  const parts = known.flatMap(({ paths }) => paths).flatMap((each) => each.match(/\w+/g) ?? []);
  const missing = [...new Set(parts)].filter((name) => !Object.hasOwn(german.fields, name) && !ofOrg.has(name));
  expect(missing).toEqual([]);
});

test('types of activities are called the same in the console and in sentences of the service', () => {
  expect(ruleActivityTypes.map((type) => germanTypes([type]).toLowerCase())).toEqual(
    ruleActivityTypes.map((type) => german.choices[type]?.toLowerCase()),
  );
});
