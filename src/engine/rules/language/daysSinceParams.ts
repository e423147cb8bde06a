import { Type } from '@sinclair/typebox';
import { oneOf, record, text } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { makeShapeCheck } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { unknownName } from '../source/unknownName';
import type { FactParams } from './factParams';
import type { FactRef } from './factRef';

const occasions = ['lastVisit', 'enrolment', 'birthday'] as const;

/** From when `daysSince` counts. */
export type Occasion = (typeof occasions)[number] | { readonly tier: string } | { readonly segment: string };

const tier = record({ tier: text(100, { description: 'Name of a tier policy' }) });
const segment = record({ segment: text(100, { description: 'Name of a segment without a query' }) });
const hasTier = { type: 'object', properties: { tier: {} }, required: ['tier'] };

const shape = record({
  of: Type.Unsafe<Occasion>({
    ...ifThenElse({ type: 'object' }, ifThenElse(hasTier, tier, segment), oneOf(occasions)),
    'x-kind': '`lastVisit`, `enrolment`, `birthday`, `{"tier": "<policy>"}` or `{"segment": "<name>"}`',
    description:
      'lastVisit: the latest earlier Accrual; birthday: the last one; tier: when the member reached its present level; segment: when it joined',
  }),
});
const checkShape = makeShapeCheck(shape);

/** The names that `of` may have. */
interface OccasionNames {
  tiers: readonly string[];
  segments: readonly string[];
}

/** Params of the fact `daysSince`. Without names, none is checked. */
export function daysSinceParams(names: OccasionNames | undefined): FactParams {
  return {
    shape,
    check: (source, at, params) => checkShape(source, at, params) && checkNames(source, [...at, 'of'], params, names),
  };
}

function checkNames(source: RuleSource, at: JsonPath, params: unknown, names: OccasionNames | undefined): boolean {
  const of = daysSinceOccasion(Object(params));
  if (!names || typeof of !== 'object') return true;
  const [field, name, known] =
    'tier' in of ? (['tier', of.tier, names.tiers] as const) : (['segment', of.segment, names.segments] as const);
  if (known.includes(name)) return true;
  const what = field === 'tier' ? 'tier policy' : 'segment without a query';
  source.error([...at, field], unknownName(what, name, known));
  return false;
}

/** From when a reference to `daysSince` counts; undefined when its params are invalid. */
export function daysSinceOccasion(params: FactRef['params']): Occasion | undefined {
  const of: unknown = params?.of;
  if (typeof of !== 'object' || of === null) return occasions.find((each) => each === of);
  const { tier: policy, segment: name }: Readonly<Record<string, unknown>> = { ...of };
  if (typeof policy === 'string') return { tier: policy };
  return typeof name === 'string' ? { segment: name } : undefined;
}
