import { message, pickMessage } from '#base/common/messages/message';
import { findActionDefinition } from '../actions/list';
import { type Limit, limitPeriodText } from '../format/limitShape';
import { periodFault } from '../language/metricPeriod';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { RuleFields, SourcedRule } from './sourcedRule';

/** Checks what the schema of limits cannot check: that they fit the rule and each other. */
export function checkLimits(source: RuleSource, at: JsonPath, rule: RuleFields): void {
  const { limits = [], budget, actions } = rule;
  const countsPoints = budget !== undefined || limits.some(({ what }) => what === 'points');
  if (countsPoints && actions.some(({ type }) => type === 'completeReferral')) {
    source.error([...at, budget ? 'budget' : 'limits'], message('rules.referralPointsLimit'));
  }
  const seen = new Map<string, number>();
  limits.forEach((limit, index) => {
    const place = [...at, 'limits', index];
    const other = seen.get(limitIdentity(limit));
    if (other === undefined) seen.set(limitIdentity(limit), index);
    else source.error(place, message('rules.sameLimit', { other }));
    checkPeriod(source, [...place, 'period'], limit);
    checkSubject(source, place, limit, rule);
    if (limit.what === 'amount') checkAmountLimit(source, [...place, 'what'], rule);
  });
}

function limitIdentity({ what, per, period, limitGroup }: Limit): string {
  return limitGroup === undefined ? JSON.stringify([what, per, limitPeriodText(period)]) : `group ${limitGroup}`;
}

function checkPeriod(source: RuleSource, at: JsonPath, { period }: Limit): void {
  // A transaction is no period of metrics, and a word has no faults of its own.
  const fault = typeof period === 'string' ? undefined : periodFault(period);
  if (fault) source.error([...at, ...fault.at], pickMessage(fault));
}

function checkSubject(source: RuleSource, at: JsonPath, { per, period }: Limit, { perLine }: RuleFields): void {
  if (per === 'product' && !perLine) source.error([...at, 'per'], message('rules.perProductNeedsPerLine'));
  if (typeof period === 'object' && 'year' in period && per !== 'member') {
    source.error([...at, 'per'], message('rules.yearOfMember'));
  }
}

/** An amount can only be cut when it is clear which one, so there is one award, computed from a fact. */
function checkAmountLimit(source: RuleSource, at: JsonPath, { actions }: RuleFields): void {
  const awards = actions.filter(({ type }) => findActionDefinition(type)?.points === 'awarded');
  const [award] = awards;
  const isComputed = award && 'points' in award && typeof award.points === 'object';
  if (awards.length === 1 && isComputed) return;
  source.error(at, message('rules.amountLimit'));
}

/** Checks that all limits of a group agree, so that they count together. */
export class LimitGroups {
  private readonly heads = new Map<string, { limit: Limit; place: string }>();

  add({ source, at, rule }: SourcedRule): void {
    rule.limits?.forEach((limit, index) => {
      const { limitGroup } = limit;
      if (limitGroup === undefined) return;
      const place = [...at, 'limits', index];
      const head = this.heads.get(limitGroup);
      if (!head) {
        const { file, line } = source.placeOf(place);
        this.heads.set(limitGroup, { limit, place: `"${rule.key}" in ${file}, line ${line}` });
        return;
      }
      for (const field of ['what', 'per', 'period', 'max'] as const) {
        if (isSame(limit, head.limit, field)) continue;
        const wanted = JSON.stringify(head.limit[field]);
        source.error(
          [...place, field],
          message('rules.limitGroupDiffers', { limitGroup, field, wanted, place: head.place }),
        );
      }
    });
  }
}

function isSame(one: Limit, other: Limit, field: 'what' | 'per' | 'period' | 'max'): boolean {
  return field === 'period'
    ? limitPeriodText(one.period) === limitPeriodText(other.period)
    : one[field] === other[field];
}
