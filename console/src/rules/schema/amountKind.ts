import { isObject } from './fieldShape';

/** The kinds of amount: a number, a multiple of a fact, points for each full step of a fact, or JSON. */
export const amountKinds = ['fixed', 'multiple', 'steps', 'json'] as const;

export type AmountKind = (typeof amountKinds)[number];

const partsOf: Partial<Record<AmountKind, readonly string[]>> = {
  multiple: ['of', 'times', 'round', 'min', 'max'],
  steps: ['of', 'every', 'points', 'min', 'max'],
};

/** The kind that an amount has. What has other parts, such as a computation, is JSON. */
export function amountKind(amount: unknown): AmountKind {
  if (amount === undefined || typeof amount === 'number') return 'fixed';
  if (!isObject(amount) || !isObject(amount.of) || typeof amount.of.fact !== 'string') return 'json';
  const kind = 'every' in amount ? 'steps' : 'multiple';
  const isPlain = Object.entries(amount).every(
    ([name, part]) => partsOf[kind]?.includes(name) && (name === 'of' || typeof part !== 'object'),
  );
  return isPlain ? kind : 'json';
}

const value = { fact: 'activity', path: '$.value' };

/** An amount of a kind to begin with. */
export function newAmount(kind: AmountKind, before: unknown): unknown {
  if (kind === 'json') return before;
  if (kind === 'fixed') return 10;
  const of = isObject(before) && isObject(before.of) ? before.of : value;
  return kind === 'steps' ? { of, every: 10, points: 1 } : { of, times: 1 };
}
