import { ifThenElse } from '#base/schema/ifThenElse';
import type { ActionDefinition, ActionName } from '../actions/action';
import type { Effect } from '../actions/list';
import { factRef } from '../language/factRef';
import { type OrgNames, ofPrograms, oneOfNames } from './orgNames';
import { plainSchema } from './plainSchema';

type Schema = Record<string, unknown>;

/** The schema of an action, with the names that an org has. */
export function actionSchema(definition: ActionDefinition<never, Effect>, names: OrgNames | undefined): Schema {
  const { params, amounts = [], points } = definition;
  const schema = amountSchema(params);
  const properties: Record<string, unknown> = Object(schema.properties);
  const more: Record<string, unknown> = {};
  for (const [field, kind] of namedParams(definition)) {
    const known = names && kind !== 'metric' ? namesOfKind[kind](names) : undefined;
    if (known) more[field] = isList(params, field) ? { items: oneOfNames(known) } : oneOfNames(known);
  }
  const atLeast0 = Object.fromEntries(
    (points ? amounts : []).map((name) => [name, ifThenElse({ type: 'number' }, { minimum: 0 })]),
  );
  const rules = [{ properties: more }, { properties: atLeast0 }, ...(ownRules[definition.type] ?? [])];
  return { ...schema, properties, allOf: rules };
}

/** The schema of an action or amount. A fact in it is a number, unless the field says otherwise. */
export function amountSchema(shape: object): Schema {
  return plainSchema(shape, (part, name) => {
    if (part !== factRef) return undefined;
    return { $ref: `#/$defs/${refNames[name] ?? 'numberFact'}` };
  });
}

/** Fields that accept facts other than numbers: references to a member, and values in messages. */
const refNames: Readonly<Record<string, string>> = {
  loyaltyID: 'activityFact',
  additionalProperties: 'factValue',
};

/** Rules between the fields of actions that their `check` has. */
const ownRules: Readonly<Record<string, Schema[]>> = {
  setData: [{ anyOf: [{ required: ['values'] }, { required: ['texts'] }] }],
  setTier: [
    { not: { required: ['until', 'for'] } },
    ifThenElse({ required: ['keep'] }, { anyOf: [{ required: ['until'] }, { required: ['for'] }] }),
    { properties: { for: ifThenElse({ not: { required: ['snap'] } }, { properties: { value: { minimum: 1 } } }) } },
  ],
  transferPoints: [{ oneOf: [{ required: ['toPurse'] }, { required: ['toMember'] }] }],
};

/**
 * The params of an action that are names. To find them, an action whose string params name their own field is asked for
 * its names.
 */
function namedParams({ params, names }: ActionDefinition<never, Effect>): [string, ActionName['kind']][] {
  const fields = Object.keys(params.properties);
  const placeholders = fields.map((field) => [field, isList(params, field) ? [`$${field}.0`] : `$${field}`]);
  const found = names?.(Object.fromEntries(placeholders) as never) ?? [];
  return found.filter(({ at, name }) => name === `$${at}`).map(({ at, kind }) => [at.replace(/\.0$/, ''), kind]);
}

function isList({ properties }: ActionDefinition<never, Effect>['params'], field: string): boolean {
  return properties[field]?.type === 'array';
}

type Known = (names: OrgNames) => string[];

const purses: Known = ({ programs }) => ofPrograms(programs, (program) => program.purses);

const namesOfKind: Readonly<Record<Exclude<ActionName['kind'], 'metric'>, Known>> = {
  purse: purses,
  inactivityPurse: purses,
  offer: ({ programs }) => ofPrograms(programs, ({ offers }) => offers),
  reward: ({ programs }) => ofPrograms(programs, ({ rewards }) => rewards),
  staticSegment: ({ segments, querySegments = [] }) => segments.filter((name) => !querySegments.includes(name)),
  tierPolicy: ({ programs }) => ofPrograms(programs, ({ tiers }) => tiers.map(({ name }) => name)),
  tierLevel: ({ programs }) => tierLevelNames(programs),
};

/** The names of the levels of all tier policies. */
export function tierLevelNames(programs: OrgNames['programs']): string[] {
  return ofPrograms(programs, ({ tiers }) => tiers.flatMap(({ levels }) => levels.map(({ name }) => name)));
}
