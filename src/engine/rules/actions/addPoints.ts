import { Type } from '@sinclair/typebox';
import { termWords } from '#base/calendar/termWords';
import { text } from '#base/schema/atoms';
import type { Language } from '#base/words/language';
import { expiresByInactivity, expiryTerms } from '#records/points/expiry/expiryTerms';
import { escrowTerms } from '#records/points/terms';
import { amount, computeAmount } from '../language/amount';
import { pointsText } from '../words/amountText';
import { expiryWords } from '../words/expiryWords';
import { germanAwardedPoints } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';
import type { Award } from './actionTarget';
import { checkAwardTerms } from './checkAwardTerms';
import { checkPool, germanPool, poolReads, poolShape, poolWords, readPoolShare } from './pool';

/** Awards points in a purse. An amount of 0 or less awards nothing. */
export const addPoints = defineAction({
  type: 'addPoints',
  description: 'Awards points',
  params: {
    purse: text(100, { description: 'Name of the purse policy' }),
    points: amount,
    escrow: Type.Optional({
      ...escrowTerms,
      description: "When they join the balance, in place of the purse policy's; none: at once",
    }),
    expiry: Type.Optional({
      ...expiryTerms,
      description: "When they expire, in place of the purse policy's; inactivity can only be chosen there",
    }),
    pool: Type.Optional(poolShape),
  },
  amounts: ['points'],
  names: ({ purse: name, expiry }) => [
    { at: 'purse', kind: 'purse', name },
    ...(expiresByInactivity(expiry) ? [{ at: 'expiry.type', kind: 'inactivityPurse' as const, name }] : []),
  ],
  reads: ({ pool }) => poolReads(pool),
  needs: ({ pool }) => (pool ? { familyHead: true } : {}),
  check(action, check) {
    checkAwardTerms(action, check);
    checkPool(action.pool, check);
  },
  points: 'awarded',
  onCancel: 'returned',
  words: {
    en: ({ purse, points, escrow, expiry, pool }) => {
      const terms = [
        escrow && `escrow ${durationWords(escrow, 'en')}`,
        expiry && (expiryWords(expiry, 'en') ?? `expiry ${durationWords(expiry, 'en')}`),
        pool && poolWords(pool),
      ].filter(Boolean);
      const suffix = terms.length === 0 ? '' : ` (${terms.join(', ')})`;
      return `add ${pointsText(points)} to the purse ${valueText(purse)}${suffix}`;
    },
    de: ({ purse, points, escrow, expiry, pool }) => {
      const terms = [
        escrow && `Sperrfrist ${durationWords(escrow, 'de')}`,
        expiry && (expiryWords(expiry, 'de') ?? `Verfall ${durationWords(expiry, 'de')}`),
        pool && germanPool(pool),
      ].filter(Boolean);
      const suffix = terms.length === 0 ? '' : ` (${terms.join(', ')})`;
      return `${germanAwardedPoints(points)} in die Börse ${germanValue(purse)} geben${suffix}`;
    },
  },
  effects(
    { type, purse, points: requested, ...terms },
    { readFact, position: n, baseMax: most },
  ): (Award & { type: 'addPoints' })[] {
    const points = computeAmount(requested, readFact, most);
    if (points <= 0) return [];
    const { escrow, expiry } = terms;
    const pool = terms.pool && readPoolShare(terms.pool, readFact);
    return [{ type, purse, points, n, ...(escrow && { escrow }), ...(expiry && { expiry }), ...(pool && { pool }) }];
  },
  apply: (target, award, rule) => target.awardPoints(award, rule),
});

/** A time: `30 days`, `none`. What has other parts appears as JSON. */
function durationWords(duration: unknown, language: Language): string {
  const { type, value, unit, ...more }: Readonly<Record<string, unknown>> = { ...Object(duration) };
  if (type === 'none') return { en: 'none', de: 'keine' }[language];
  const isPlain = typeof value === 'number' && typeof unit === 'string' && Object.keys(more).length === 0;
  return isPlain ? termWords(value, unit, language) : valueText(duration);
}
