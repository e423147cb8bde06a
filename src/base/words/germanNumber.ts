const numbers = new Intl.NumberFormat('de', { maximumFractionDigits: 20, useGrouping: 'min2' });

/** A count, points or an amount as German writes it: `1,5`, `50.000`. */
export function germanNumber(value: number): string {
  return numbers.format(value);
}

/** A count with its noun: `1 Punkt`, `2 Punkte`. */
export function germanCount(count: number, one: string, many: string): string {
  return `${germanNumber(count)} ${count === 1 ? one : many}`;
}
