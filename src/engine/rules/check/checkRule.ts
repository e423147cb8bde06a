import { message } from '#base/common/messages/message';
import { actionTypes, findActionDefinition } from '../actions/list';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkAction } from './checkAction';
import { checkLimits } from './checkLimits';
import { checkNames } from './checkNames';
import { checkSchedule } from './checkSchedule';
import { checkTest } from './checkTest';
import type { ProgramScope } from './programScope';
import type { RuleFields, SourcedRule } from './sourcedRule';

/** Checks what a schema cannot check: names that must exist, and fields that depend on each other. */
export function checkRule({ source, at, rule }: SourcedRule, scope: ProgramScope): void {
  checkNames(source, [...at, 'activityTypes'], 'activity type', rule.activityTypes, scope.activityTypes);
  checkNames(source, [...at, 'segments'], 'segment', rule.segments ?? [], scope.segments);
  checkNames(source, [...at, 'tiers'], 'tier level', rule.tiers ?? [], scope.levels);
  checkTimes(source, at, rule);
  checkGroup(source, at, rule);
  checkSchedule(source, at, rule, scope);
  checkLimits(source, at, rule);
  rule.actions.forEach((action, index) => {
    checkAction(source, [...at, 'actions', index], action, scope);
  });
  if (rule.activityTypes.includes('Cancellation')) checkCancellation(source, at, rule);
  rule.tests?.forEach((test, index) => {
    checkTest(source, [...at, 'tests', index], test, { scope, from: rule.effective?.from });
  });
}

function checkTimes(source: RuleSource, at: JsonPath, { effective, hours }: RuleFields): void {
  if (effective?.from && effective.to && effective.from >= effective.to) {
    source.error([...at, 'effective', 'to'], message('rules.toBeforeFrom'));
  }
  if (hours && (hours.from ?? '00:00') === (hours.to ?? '24:00')) {
    source.error([...at, 'hours'], message('rules.sameTime'));
  }
}

function checkGroup(source: RuleSource, at: JsonPath, { group, pick }: RuleFields): void {
  if (group !== undefined && pick === undefined) {
    source.error([...at, 'group'], message('rules.groupNeedsPick'));
  }
  if (group === undefined && pick !== undefined) source.keyError([...at, 'pick'], message('rules.pickNeedsGroup'));
}

/** The actions that a rule for Cancellation may have. */
const cancellationActions = actionTypes.filter((type) => findActionDefinition(type)?.inCancellation);

function checkCancellation(source: RuleSource, at: JsonPath, { actions }: RuleFields): void {
  actions.forEach(({ type }, index) => {
    if (cancellationActions.includes(type)) return;
    const allowed = cancellationActions.join(', ');
    source.error([...at, 'actions', index, 'type'], message('rules.cancellationActions', { allowed }));
  });
}
