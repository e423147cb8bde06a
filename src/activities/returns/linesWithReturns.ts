import Big from 'big.js';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { ReturnScope } from './decideReturnScope';
import { lineUnits, type ReturnedLine, returnedLine, type StoredLine } from './returnedLines';

type Returned = Pick<ReturnScope, 'isWhole' | 'lines' | 'returnedValue' | 'returnedByValue'>;

/**
 * The line items of an activity after a return, each with how much of it is returned. After a whole return that is all
 * of each line. After a partial return it is what returns named of the line, and the line's share of the value that was
 * returned without naming lines.
 */
export function linesWithReturns(
  { value, lineItems }: Pick<ActivityHistory, 'value' | 'lineItems'>,
  part: Returned,
): StoredLine[] {
  if (lineItems.length === 0) return lineItems;
  const whole = part.isWhole && lineItems.map((line) => returnedLine(line, lineUnits(line)));
  const returned = whole || withShares(lineItems, part, value);
  return lineItems.map((line, index) => withReturn(line, returned[index]));
}

function withReturn(line: StoredLine, back: ReturnedLine | undefined): StoredLine {
  if (!back || (back.quantity === 0 && back.value === 0)) return line;
  return {
    ...line,
    ...(back.quantity > 0 ? { returnedQuantity: back.quantity } : {}),
    returnedValue: back.value,
  };
}

/** Adds the shares of `returnedByValue`. They are rounded towards zero on the running total of the lines. */
function withShares(
  lineItems: readonly StoredLine[],
  { lines, returnedValue, returnedByValue }: Returned,
  value: number,
): readonly ReturnedLine[] {
  // The part of the value for which no return named lines: what is left, and what was returned by value.
  const unnamedValue = value - returnedValue + returnedByValue;
  if (returnedByValue === 0 || unnamedValue <= 0) return lines;
  let amount = new Big(0);
  let shared = 0;
  return lines.map((line, index) => {
    amount = amount.plus(lineItems[index]?.itemAmount ?? 0).minus(line.value);
    const sharedUpTo = amount.times(returnedByValue).div(unnamedValue).round(0, Big.roundDown).toNumber();
    const share = sharedUpTo - shared;
    shared = sharedUpTo;
    return { ...line, value: line.value + share };
  });
}
