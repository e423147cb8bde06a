import type { FactRef } from '../language/factRef';
import { instantMs } from '../language/instantMs';
import type { Literal } from './literal';

/** All values of the fact for which a literal holds; undefined when they are unknown. */
export function valuesToTry({ operator, value, negated }: Literal): readonly unknown[] | undefined {
  if (!negated && operator === 'equal') return equalTo([value]);
  if (!negated && operator === 'in' && Array.isArray(value)) return equalTo(value);
  if (!negated && operator === 'someFact:in' && Array.isArray(value) && value.length === 0) return [];
  if (!negated && operator === 'isEmpty' && value === true) return [undefined, null, '', [], {}];
  return undefined;
}

/** All values that a fact can have; undefined when they are unknown. */
export function possibleValues({ fact, path }: FactRef): readonly unknown[] | undefined {
  return path === undefined && Object.hasOwn(domains, fact) ? domains[fact] : undefined;
}

/** The values and, for strings with an instant, the equal dates. Undefined when a value is an object or a list. */
function equalTo(values: readonly unknown[]): readonly unknown[] | undefined {
  if (values.some((each) => typeof each === 'object' && each !== null)) return undefined;
  return values.flatMap((each) => {
    const ms = instantMs(each);
    return Number.isNaN(ms) ? [each] : [each, new Date(ms)];
  });
}

const count = (length: number) => Array.from({ length }, (_, n) => n);

/** All values of the facts that have only a few. */
const domains: Readonly<Record<string, readonly unknown[]>> = {
  dayOfWeek: count(7),
  hour: count(24),
  birthMonth: [undefined, ...count(12).map((n) => n + 1)],
  isBirthday: [true, false],
  isFirstActivity: [true, false],
};
