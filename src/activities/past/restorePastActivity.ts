import { isPlainObject } from '#base/common/plainObject';
import type { DecideProgram } from '#engine/rules/decide/decideInput';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { FactRead } from '#engine/rules/language/decision';
import type { PastUse, ProcessedActivity } from '#engine/rules/simulate/processedActivity';
import type { Activity, LineItem } from '#records/activities/activity';
import type { ActivityHistory, StoredEffects } from '#records/activities/activityHistory';
import { factSnapshotOfHistory } from './factSnapshotOfHistory';
import { type PurseNames, pastAwards, pastOutcome } from './pastOutcome';
import { pastSubjects } from './pastSubjects';

/** The records that are needed to read a history. */
export interface PastSources {
  program: DecideProgram;
  /** The rule set that evaluated the activity; undefined when none was in force. */
  ruleSet: RuleSet | undefined;
  purseNames: PurseNames;
}

/** An activity as it was processed, from its history. */
export function restorePastActivity(history: ActivityHistory, sources: PastSources): ProcessedActivity {
  const { memberID, location, partner, oplogTS, effects } = history;
  const rules = sources.ruleSet?.forActivity(history.program, history.type).rules ?? [];
  return {
    activity: postedActivity(history),
    memberId: memberID,
    program: sources.program,
    now: new Date(oplogTS),
    enriched: {
      ...(isPlainObject(location) ? { location } : {}),
      ...(isPlainObject(partner) ? { partner } : {}),
      products: productsBySku(history),
    },
    facts: pastFactReads(history, sources.ruleSet),
    awards: pastAwards(history, sources.purseNames),
    usage: (effects?.counters ?? []).map(pastUse),
    outcome: pastOutcome(history, rules, sources.purseNames),
    subjects: pastSubjects(history),
    returned: returnedParts(history),
  };
}

function pastUse({ id, what, amount, returned, rule, at }: StoredEffects['counters'][number]): PastUse {
  return { id, what, amount, returned, rule, ...(at === undefined ? {} : { window: { at } }) };
}

function postedActivity(history: ActivityHistory): Activity {
  const {
    result: _r,
    ruleMatch: _m,
    factsRead: _f,
    effects: _e,
    location: _l,
    partner: _p,
    account: _a,
    ...activity
  } = history;
  return { ...activity, lineItems: history.lineItems.map(postedLineItem) };
}

function postedLineItem(line: ActivityHistory['lineItems'][number]): LineItem {
  const { product: _p, coupon: _c, returnedQuantity: _q, returnedValue: _v, ...item } = line;
  return item;
}

function pastFactReads(history: ActivityHistory, ruleSet: RuleSet | undefined): FactRead[] {
  return factSnapshotOfHistory(history, ruleSet?.forActivity(history.program, history.type).levels ?? []);
}

function productsBySku({ lineItems }: ActivityHistory): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    lineItems.flatMap(({ itemSKU, product }) =>
      itemSKU !== undefined && product ? [[itemSKU, product] as const] : [],
    ),
  );
}

/** How much of the activity was returned so far; undefined when nothing was. */
function returnedParts({ status, value, returnedValue, returnedByValue, lineItems }: ActivityHistory) {
  const isWhole = status === 'Cancelled';
  if (isWhole) return { value, byValue: 0, lines: [], isWhole, namesLines: false };
  if (returnedValue === undefined) return undefined;
  const lines = lineItems.map(({ itemAmount = 0, quantity, returnedQuantity = 0 }) => ({
    quantity: returnedQuantity,
    value: Math.trunc((itemAmount * returnedQuantity) / (quantity || 1)),
  }));
  const namesLines = lines.some((line) => line.quantity > 0);
  return { value: returnedValue, byValue: returnedByValue ?? 0, lines, isWhole, namesLines };
}
