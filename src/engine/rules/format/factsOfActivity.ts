import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { count, list, record, text } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import type { Activity } from '#records/activities/activity';
import { readAwardFilter } from '../language/awardFilter';
import type { FactParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { makeShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';

const tenderFields = ['type', 'subType', 'itemNo', 'lineNo', '_id'] as const;
const wanted = Type.Unsafe<string | readonly string[]>(
  ifThenElse({ type: 'array' }, list(text(255), 100, { minItems: 1 }), text(255)),
);

const tenderShape = record({
  filter: Type.Optional(
    record(
      Object.fromEntries(
        tenderFields.map((name) => [
          name,
          Type.Optional({ ...wanted, description: 'Has this value, or one of these' }),
        ]),
      ),
      { minProperties: 1, description: 'Fields of the tender items that count; left out: all count' },
    ),
  ),
});

const tenderParams: FactParams = { shape: tenderShape, check: makeShapeCheck(tenderShape) };

const awardFilterShape = record({
  rule: Type.Optional(
    text(100, { description: 'Key of a rule, or of a table for all its rows; left out: of all rules' }),
  ),
  purse: Type.Optional(text(100, { description: 'Name of a purse policy; left out: in all purses' })),
});
const checkAwardFilter = makeShapeCheck(awardFilterShape);

/** `purses` is empty when names are not checked. */
function awardFilterParams(purses: readonly string[]): FactParams {
  return {
    shape: awardFilterShape,
    check(source, at, params) {
      if (!checkAwardFilter(source, at, params)) return false;
      const { purse } = readAwardFilter(params);
      if (purse === undefined || purses.length === 0 || purses.includes(purse)) return true;
      source.error([...at, 'purse'], didYouMean(message('rules.unknownPurse', { name: purse }), purse, purses));
      return false;
    },
  };
}

const amountShape = record({ rule: text(100, { description: 'Key of a rule, or of a table for all its rows' }) });

const amountParams: FactParams = { shape: amountShape, check: makeShapeCheck(amountShape) };

/**
 * The facts that tell how an activity was paid and what its rules gave so far.
 * @param purses names of the program's purses; empty when names are not checked
 */
export function factsOfActivity(purses: readonly string[]) {
  return {
    tender: {
      description: 'Sum of the value of the tender items: how much was paid so',
      shape: count(),
      params: tenderParams,
    },
    pointsOfActivity: {
      description: 'Points that addPoints of rules of higher priority gave in this activity',
      shape: count(),
      params: awardFilterParams(purses),
    },
    amountOfActivity: {
      description: 'The amount from which a rule of higher priority computed its points in this activity',
      shape: Type.Number(),
      params: amountParams,
    },
  };
}

/** The sum of the tender items of an activity whose fields have the values of the filter. */
export function tenderSum({ tenderItems = [] }: Pick<Activity, 'tenderItems'>, params: FactRef['params']): number {
  const filter = Object.entries({ ...(params?.filter as object | undefined) });
  const isWanted = (item: Readonly<Record<string, unknown>>) =>
    filter.every(([name, value]) => (Array.isArray(value) ? value.includes(item[name]) : value === item[name]));
  return tenderItems.reduce((sum, item) => (isWanted(item) ? sum + (item.value ?? 0) : sum), 0);
}
