import { ifThenElse } from '#base/schema/ifThenElse';
import { actionTypes, findActionDefinition } from '../actions/list';
import { testMemberShape } from '../check/checkTestMember';
import { testActivityShape, testRecordShapes } from '../check/programScope';
import { factDefinitions } from '../format/facts';
import { ruleShape } from '../format/rule';
import { tierLevelNames } from './actionSchemas';
import { collectFactNames, type OrgNames, oneOfNames } from './orgNames';
import { plainSchema } from './plainSchema';
import { scheduleDependencies } from './scheduleSchema';

type Schema = Record<string, unknown>;

/** The schema of a rule, with the names that an org has. */
export function ruleFields(names: OrgNames | undefined): Schema {
  const schema = plainSchema(ruleShape, (_, name) => {
    if (name === 'conditions') return { $ref: '#/$defs/condition', description: 'When it fires; left out: always' };
    return name === 'columns' ? { ...columns, additionalProperties: { $ref: '#/$defs/column' } } : undefined;
  });
  const properties: Record<string, Schema> = Object(schema.properties);
  const words = (field: string, known: readonly string[] | undefined) =>
    known ? { ...properties[field], items: oneOfNames(known) } : properties[field];
  return {
    ...schema,
    properties: {
      ...properties,
      activityTypes: words('activityTypes', names?.activityTypes),
      segments: words('segments', names?.segments),
      schedule: scheduleWith(properties.schedule ?? {}, names),
      tiers: words('tiers', names && tierLevelNames(names.programs)),
      actions: { ...properties.actions, items: anyAction },
      tests: testsWith(properties.tests ?? {}, names),
      table: { ...properties.table, oneOf: [{ required: ['rows'] }, { required: ['csv'] }] },
    },
    dependentRequired: { group: ['pick'], pick: ['group'] },
    allOf: [ofCancellation, withoutCountedReferral, ...scheduleDependencies],
  };
}

const { columns }: Record<string, object> = Object(ruleShape.properties.table).properties;

const anyAction: Schema = {
  type: 'object',
  properties: { type: { enum: [...actionTypes] } },
  required: ['type'],
  allOf: actionTypes.map((type) =>
    ifThenElse({ properties: { type: { const: type } }, required: ['type'] }, { $ref: `#/$defs/${type}` }),
  ),
};

const withTypes = (types: readonly string[]) => ({
  properties: { actions: { items: { properties: { type: { enum: types } } } } },
});

/** A rule for Cancellation has only actions that a cancellation allows. */
const ofCancellation = ifThenElse(
  { properties: { activityTypes: { contains: { const: 'Cancellation' } } }, required: ['activityTypes'] },
  withTypes(actionTypes.filter((type) => findActionDefinition(type)?.inCancellation)),
);

/** Points of completeReferral are not counted, so a rule with it has no budget and limits only times. */
const withoutCountedReferral = ifThenElse(
  {
    properties: { actions: { contains: { properties: { type: { const: 'completeReferral' } }, required: ['type'] } } },
    required: ['actions'],
  },
  {
    properties: { budget: false, limits: { items: { properties: { what: { not: { const: 'points' } } } } } },
  },
);

/** The schedule of a rule, with the names of segments. */
function scheduleWith(schedule: Schema, names: OrgNames | undefined): Schema {
  if (!names) return schedule;
  const properties: Record<string, Schema> = Object(schedule.properties);
  const { segment } = properties;
  return { ...schedule, properties: { ...properties, segment: { ...segment, ...oneOfNames(names.segments) } } };
}

/** The activities, records and names of tests. The member is described by names that only an org has. */
function testsWith(tests: Schema, names: OrgNames | undefined): Schema {
  const test: Schema = Object(tests.items);
  const properties: Record<string, Schema> = Object(test.properties);
  const { activities = {}, namedLists = {}, steps = {} } = properties;
  const expected = expectWith(properties.expect ?? {}, names);
  const { properties: fields, ...shape } = plainSchema(testActivityShape);
  const step = { ...shape, properties: { ...Object(fields), expect: expected } };
  const lists = names && (names.namedLists ?? []).map(({ name }) => name);
  const records = Object.entries(testRecordShapes).map(([name, own]) => [
    name,
    both(properties[name], plainSchema(own)),
  ]);
  return {
    ...tests,
    items: {
      ...test,
      properties: {
        ...properties,
        ...Object.fromEntries(records),
        expect: expected,
        activity: both(properties.activity, plainSchema(testActivityShape)),
        activities: { ...activities, items: both(Object(activities).items, step) },
        steps: { ...steps, items: scenarioStep(Object(steps).items, names) },
        ...(lists && { namedLists: { ...namedLists, propertyNames: oneOfNames(lists) } }),
        ...(names && { member: both(properties.member, memberSchema(names)) }),
      },
      oneOf: [{ required: ['activity'] }, { required: ['activities'] }, { required: ['steps'] }],
    },
  };
}

/** A step of a test: one of an activity, a cancel and a wait. */
function scenarioStep(step: Schema, names: OrgNames | undefined): Schema {
  const properties: Record<string, Schema> = Object(step.properties);
  const { activity, wait = {}, expect: expected = {} } = properties;
  return {
    ...step,
    properties: {
      ...properties,
      activity: both(activity, plainSchema(testActivityShape)),
      wait: { ...wait, oneOf: [{ required: ['value', 'unit'], properties: { until: false } }, onlyUntil] },
      expect: expectWith(expected, names),
    },
    oneOf: ['activity', 'cancel', 'wait'].map((kind) => ({ required: [kind] })),
    dependentSchemas: {
      expect: ifThenElse({ required: ['cancel'] }, {}, { properties: { expect: { properties: { returned: false } } } }),
    },
  };
}

const onlyUntil = { required: ['until'], properties: { value: false, unit: false } };

function both(general: Schema | undefined, special: Schema): Schema {
  return { allOf: [general ?? {}, special] };
}

function expectWith(expected: Schema, names: OrgNames | undefined): Schema {
  if (!names) return expected;
  const properties: Record<string, Schema> = Object(expected.properties);
  const { purses } = collectFactNames(names);
  return {
    ...expected,
    properties: {
      ...properties,
      ...Object.fromEntries(
        ['points', 'balance', 'available', 'pool'].flatMap((field) => {
          const own = properties[field];
          return own ? [[field, { ...own, propertyNames: oneOfNames(purses) }]] : [];
        }),
      ),
    },
  };
}

function memberSchema(names: OrgNames): Schema {
  const known = collectFactNames(names);
  return plainSchema(testMemberShape(factDefinitions(known).member?.shape, known.purses));
}
