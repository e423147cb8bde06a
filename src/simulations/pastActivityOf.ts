import type { ObjectId } from 'bson';
import type { Activity, LineItem } from '../records/activities/activity';
import type { ActivityHistory } from '../records/activities/activityHistory';
import { definitionOf } from '../rules/actions/list';
import type { DecideProgram } from '../rules/decide/decideInput';
import type { RuleSet } from '../rules/evaluate/ruleSet';
import type { Rule } from '../rules/format/rule';
import type { FactRead } from '../rules/language/decision';
import type { PastAward, ProcessedActivity, PurseChange } from '../rules/simulate/processedActivity';
import { factSnapshotOfHistory } from './factSnapshotOfHistory';

/** The records that are needed to read a history. */
export interface PastSources {
  program: DecideProgram;
  /** The rule set that evaluated the activity; undefined when none was in force. */
  ruleSet: RuleSet | undefined;
  /** Names of purses, by the hexadecimal id of the purse policy. */
  purseNames: ReadonlyMap<string, string>;
}

/** An activity as it was processed, from its history. */
export function pastActivityOf(history: ActivityHistory, sources: PastSources): ProcessedActivity {
  const { memberID, location, partner, status, oplogTS, effects } = history;
  const rules = sources.ruleSet?.forActivity(history.program, history.type).rules ?? [];
  return {
    activity: activityOf(history),
    memberId: memberID,
    program: sources.program,
    now: new Date(oplogTS),
    enriched: {
      ...(isRecord(location) ? { location } : {}),
      ...(isRecord(partner) ? { partner } : {}),
      products: productsOf(history),
    },
    facts: factsOf(history, sources.ruleSet),
    awards: status === 'Processed' ? awardsOf(history, rules, sources.purseNames) : [],
    usage: effects?.counters ?? [],
  };
}

function activityOf(history: ActivityHistory): Activity {
  const { result: _r, ruleMatch: _m, factsRead: _f, effects: _e, location: _l, partner: _p, ...activity } = history;
  return { ...activity, lineItems: history.lineItems.map(lineItemOf) };
}

function lineItemOf(line: ActivityHistory['lineItems'][number]): LineItem {
  const { product: _p, coupon: _c, returnedQuantity: _q, returnedValue: _v, ...item } = line;
  return item;
}

function factsOf(history: ActivityHistory, ruleSet: RuleSet | undefined): FactRead[] {
  return factSnapshotOfHistory(history, ruleSet?.forActivity(history.program, history.type).levels ?? []);
}

function productsOf({ lineItems }: ActivityHistory): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    lineItems.flatMap(({ itemSKU, product }) =>
      itemSKU !== undefined && product ? [[itemSKU, product] as const] : [],
    ),
  );
}

/** The changes of each rule that fired. For a rule with several purses, the accrual items give the points of each. */
function awardsOf(
  history: ActivityHistory,
  rules: readonly Rule[],
  purseNames: PastSources['purseNames'],
): PastAward[] {
  const byKey = new Map(rules.map((rule) => [rule.key, rule]));
  const lots = [...(history.effects?.accrued ?? [])];
  return history.ruleMatch.flatMap(({ key, fired, granted }): PastAward[] => {
    if (fired !== true || typeof key !== 'string') return [];
    const rule = byKey.get(key);
    if (!rule || typeof granted !== 'number') return [{ key, changes: [] }];
    return [{ key, changes: changesOf(rule, granted, (purses) => takeLots(lots, purses, granted, purseNames)) }];
  });
}

function changesOf(rule: Rule, granted: number, split: (purses: readonly string[]) => PurseChange[]): PurseChange[] {
  const added = pursesOf(rule, 'awarded');
  const [only, ...others] = added.length > 0 ? added : pursesOf(rule, 'redeemed');
  if (only === undefined) return [];
  if (others.length > 0 && added.length > 0) return split(added);
  return [{ purse: only, points: added.length > 0 ? granted : -granted }];
}

/** The purses of the actions that limits count in this way. */
function pursesOf({ actions }: Rule, counted: 'awarded' | 'redeemed'): string[] {
  const those = actions.filter(({ type }) => definitionOf(type)?.points === counted);
  return [...new Set(those.flatMap((action) => ('purse' in action ? [action.purse] : [])))];
}

type Accrued = { purse: ObjectId; points: number };

/** Rules award in the order of `ruleMatch`, so the next lots in these purses belong to the rule. */
function takeLots(
  lots: Accrued[],
  purses: readonly string[],
  granted: number,
  purseNames: PastSources['purseNames'],
): PurseChange[] {
  const changes: PurseChange[] = [];
  for (let left = granted; left > 0; ) {
    const next = lots.findIndex(({ purse }) => purses.includes(purseNames.get(purse.toHexString()) ?? ''));
    const [lot] = next < 0 ? [] : lots.splice(next, 1);
    if (!lot) break;
    left -= lot.points;
    changes.push({ purse: purseNames.get(lot.purse.toHexString()) ?? '', points: lot.points });
  }
  return changes;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
