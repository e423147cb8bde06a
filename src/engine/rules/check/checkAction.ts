import { message } from '#base/common/messages/message';
import { builtInMetricNames } from '#records/aggregates/metricNames';
import type { ActionName } from '../actions/action';
import { findActionDefinition, type RuleAction } from '../actions/list';
import type { Amount } from '../language/amount';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { type NameKind, unknownName } from '../source/unknownName';
import { checkAmount } from './checkAmount';
import { factTypeAt } from './checkConditions';
import type { ProgramScope } from './programScope';

/** Checks what the schema of an action cannot check: its names, its amounts, and the `check` of its definition. */
export function checkAction(source: RuleSource, at: JsonPath, action: RuleAction, scope: ProgramScope): void {
  const definition = findActionDefinition(action.type);
  if (!definition) return;
  for (const name of definition.names?.(action) ?? []) {
    nameChecks[name.kind](source, [...at, ...name.at.split('.')], name, scope);
  }
  const params: Readonly<Record<string, unknown>> = action;
  for (const name of definition.amounts ?? []) {
    const amount = params[name] as Amount | undefined;
    if (definition.points && typeof amount === 'number' && amount < 0) {
      source.error([...at, name], message('rules.notNegative', { name, amount }));
    } else if (amount !== undefined) checkAmount(source, [...at, name], amount, scope.facts);
  }
  definition.check?.(action, {
    error: (path, fault) => source.error([...at, ...path], fault),
    keyError: (path, fault) => source.keyError([...at, ...path], fault),
    amount: (path, expression) => checkAmount(source, [...at, ...path], expression, scope.facts),
    fact: (path, ref) => factTypeAt(source, [...at, ...path], ref, scope.facts),
  });
}

type NameCheck = (source: RuleSource, at: JsonPath, name: ActionName, scope: ProgramScope) => void;

const nameChecks: Readonly<Record<ActionName['kind'], NameCheck>> = {
  purse: (source, at, { name }, { purses }) => checkKnown(source, at, 'purse', name, purses),
  inactivityPurse(source, at, { name }, { program: { purses, inactivityPurses = [] } }) {
    if (!purses.includes(name) || inactivityPurses.includes(name)) return;
    source.error(at, message('rules.noExpiryByInactivity', { name }));
  },
  offer: (source, at, { name }, { offers }) => checkKnown(source, at, 'offer', name, offers),
  reward: (source, at, { name }, { rewards }) => checkKnown(source, at, 'reward', name, rewards),
  staticSegment(source, at, { name }, { segments, querySegments }) {
    checkKnown(source, at, 'segment', name, segments);
    if (!querySegments.includes(name)) return;
    source.error(at, message('rules.segmentByQuery', { name }));
  },
  tierPolicy(source, at, { name }, { program: { tiers } }) {
    const known = tiers.map((policy) => policy.name);
    checkKnown(source, at, 'tier policy', name, known);
  },
  tierLevel(source, at, { name, policy }, { program: { tiers } }) {
    const levels = tiers.find((each) => each.name === policy)?.levels.map((level) => level.name);
    if (levels) checkKnown(source, at, 'tier level', name, levels);
  },
  metric(source, at, { name }, { metrics }) {
    if (builtInMetricNames.some((each) => each === name)) {
      source.error(at, message('rules.builtInMetric', { name }));
    } else if (metrics.length > 0 && !metrics.includes(name)) {
      const fault = message('rules.newMetric', { name });
      const hinted = didYouMean(fault, name, metrics);
      if (hinted !== fault) source.warning(at, hinted);
    }
  },
};

function checkKnown(source: RuleSource, at: JsonPath, what: NameKind, name: string, known: readonly string[]): void {
  if (!known.includes(name)) source.error(at, unknownName(what, name, known));
}
