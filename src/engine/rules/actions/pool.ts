import { type Static, Type } from '@sinclair/typebox';
import Big from 'big.js';
import { record } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { germanNumber } from '#base/words/germanNumber';
import { type FactRef, factRef, numberAt, type ReadRef } from '../language/factRef';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import type { ActionCheck } from './action';
import type { PoolShare } from './actionTarget';

const shareShape = Type.Unsafe<number | FactRef>({
  description: 'The share, above 0 and at most 1, or a fact that says it',
  ...ifThenElse({ type: 'object' }, factRef, Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
});

/** How `addPoints` shares an award with the head of the member's family. */
export const poolShape = record(
  { share: shareShape },
  {
    description:
      'The share of each award that goes to the familyHead of the member, rounded down; the rest stays with the member',
  },
);

type Pool = Static<typeof poolShape>;

/** The facts that a pool reads. */
export function poolReads(pool: Pool | undefined): FactRef[] {
  return pool && typeof pool.share === 'object' ? [pool.share] : [];
}

/** Checks the fact that says the share. */
export function checkPool(pool: Pool | undefined, check: ActionCheck): void {
  if (pool && typeof pool.share === 'object') check.fact(['pool', 'share'], pool.share);
}

/**
 * The share as a number. A share above 1 is 1. A missing one and one of 0 or less share nothing.
 * @throws EvaluationError when the fact is no number
 */
export function readPoolShare(pool: Pool, readFact: ReadRef): PoolShare | undefined {
  const share = typeof pool.share === 'number' ? pool.share : (numberAt(pool.share, readFact) ?? 0);
  return share > 0 ? { share: Math.min(share, 1) } : undefined;
}

/** The points of an award that go to the head of the family: exact, then rounded down. */
export function pooledPoints(points: number, pool: PoolShare | undefined): number {
  return pool ? Number(new Big(points).times(pool.share).round(0, Big.roundDown).toFixed()) : 0;
}

/** A pool in words. */
export function poolWords(pool: unknown): string {
  const share: unknown = typeof pool === 'object' && pool !== null ? Reflect.get(pool, 'share') : undefined;
  const shareText =
    typeof share === 'number' ? `${new Big(share).times(100).toFixed()} %` : `the share ${valueText(share)}`;
  return `${shareText} of it for the head of the family`;
}

/** A pool in German. */
export function germanPool(pool: unknown): string {
  const { share }: Readonly<Record<string, unknown>> = { ...Object(pool) };
  const shareText =
    typeof share === 'number'
      ? `${germanNumber(new Big(share).times(100).toNumber())} %`
      : `Anteil ${germanValue(share)}`;
  return `${shareText} davon an das Familienoberhaupt`;
}
