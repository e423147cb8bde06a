import type { Rule } from '#engine/rules/format/rule';
import { activity, decideWith, programId, rule, TestTarget } from '../builders';

async function outcome(changes: Partial<Rule>, date: string, member: Record<string, unknown> = {}) {
  const { decision } = await decideWith([rule(changes)], {
    activity: activity({ date: new Date(date) }),
    program: { _id: programId, code: 'demo', timezone: 'America/New_York' },
    target: new TestTarget(0, member),
  });
  const [match] = decision.ruleMatch;
  return match?.fired ? 'fired' : match?.reason;
}

describe('eligibility', () => {
  it.each<[string, Partial<Rule>, string, string]>([
    ['a draft never fires', { status: 'draft' }, '2026-01-01T00:00:00Z', 'notEffective'],
    ['a paused rule never fires', { status: 'paused' }, '2026-01-01T00:00:00Z', 'notEffective'],
    [
      'a rule is effective at its from',
      { effective: { from: new Date('2026-01-01') } },
      '2026-01-01T00:00:00Z',
      'fired',
    ],
    [
      'a rule is not effective before its from',
      { effective: { from: new Date('2026-01-01') } },
      '2025-12-31T23:59:59.999Z',
      'notEffective',
    ],
    [
      'a rule is effective just before its to',
      { effective: { to: new Date('2026-01-01') } },
      '2025-12-31T23:59:59.999Z',
      'fired',
    ],
    [
      'a rule is not effective at its to',
      { effective: { to: new Date('2026-01-01') } },
      '2026-01-01T00:00:00Z',
      'notEffective',
    ],
  ])('%s', async (_, changes, date, expected) => {
    expect(await outcome(changes, date)).toBe(expected);
  });

  // New York is four hours behind UTC, Tokyo nine hours before it.
  it.each<[string, string | undefined, NonNullable<Rule['hours']>, string]>([
    ['by the clock of the location', 'Asia/Tokyo', { from: '07:00', to: '08:00', clock: 'location' }, 'fired'],
    ['not by that of the program', 'Asia/Tokyo', { from: '18:00', to: '19:00', clock: 'location' }, 'notEffective'],
    ['by the program when it says so', 'Asia/Tokyo', { from: '18:00', to: '19:00', clock: 'program' }, 'fired'],
    ['by the program without a zone', undefined, { from: '18:00', to: '19:00', clock: 'location' }, 'fired'],
    ['with the days of the location', 'Asia/Tokyo', { days: ['Sun'], clock: 'location' }, 'fired'],
  ])('follows the hours of a rule %s', async (_, timezone, hours, expected) => {
    const { decision } = await decideWith([rule({ hours })], {
      activity: activity({ date: new Date('2026-03-14T22:30:00Z') }),
      program: { _id: programId, code: 'demo', timezone: 'America/New_York' },
      enriched: { products: new Map(), location: { number: 'S1', ...(timezone ? { timezone } : {}) } },
    });
    const [match] = decision.ruleMatch;
    expect(match?.fired ? 'fired' : match?.reason).toBe(expected);
  });

  const evening: Rule['hours'] = { days: ['Sat'], from: '18:00', to: '22:00' };
  const night: Rule['hours'] = { days: ['Sat'], from: '22:00', to: '02:00' };
  // 14 March 2026 is a Saturday; New York is four hours behind UTC.
  it.each<[string, NonNullable<Rule['hours']>, string, string]>([
    ['the hours include their from', evening, '2026-03-14T22:00:00Z', 'fired'],
    ['the hours do not include the minute before their from', evening, '2026-03-14T21:59:59Z', 'notEffective'],
    ['the hours do not include their to', evening, '2026-03-15T02:00:00Z', 'notEffective'],
    ['the hours include their last minute', evening, '2026-03-15T01:59:59Z', 'fired'],
    ['the hours do not include another day', evening, '2026-03-13T23:00:00Z', 'notEffective'],
    ['the hours of a night continue after midnight', night, '2026-03-15T05:59:59Z', 'fired'],
    ['the hours of a night end at their to', night, '2026-03-15T06:00:00Z', 'notEffective'],
    ['the hours of a night have not begun on the morning of their day', night, '2026-03-14T05:00:00Z', 'notEffective'],
    ['days without times are whole days', { days: ['Sat'] }, '2026-03-14T04:00:00Z', 'fired'],
    ['hours with only a from last until midnight', { from: '18:00' }, '2026-03-15T03:59:00Z', 'fired'],
    ['hours with only a to begin at midnight', { to: '06:00' }, '2026-03-14T04:00:00Z', 'fired'],
  ])('%s', async (_, hours, date, expected) => {
    expect(await outcome({ hours }, date)).toBe(expected);
  });

  it('needs any of the segments and any of the tiers, and says which the member has', async () => {
    const date = '2026-01-01T00:00:00Z';
    expect(await outcome({ segments: ['VIP', 'Staff'] }, date, { segments: ['Staff'] })).toBe('fired');
    expect(await outcome({ segments: ['VIP'] }, date, { segments: ['Staff'] })).toBe('conditionFailed');
    expect(await outcome({ tiers: ['Gold'] }, date, { tier: { Status: 'Gold' } })).toBe('fired');
    expect(await outcome({ tiers: ['Gold'] }, date, { tier: { Status: 'Basic' } })).toBe('conditionFailed');
    const { decision } = await decideWith([rule({ tiers: ['Gold'] })]);
    expect(decision.ruleMatch[0]?.failedCondition).toEqual({
      fact: 'member',
      path: '$.tier',
      operator: 'someFact:in',
      expected: ['Gold'],
      actual: [],
    });
  });
});
