import { ObjectId } from 'bson';
import { actionTypes } from '#engine/rules/actions/list';
import { explainMatches } from '#engine/rules/explain/explainMatches';
import { factNames } from '#engine/rules/format/facts';
import type { Rule, RuleDefinition } from '#engine/rules/format/rule';
import { german } from '#engine/rules/german/german';
import { germanAction } from '#engine/rules/german/germanAction';
import { germanPredicates } from '#engine/rules/german/germanComparison';
import { germanComparisonSentence, germanFailed } from '#engine/rules/german/germanCondition';
import { germanLimit } from '#engine/rules/german/germanLimit';
import type { Comparison } from '#engine/rules/language/condition';
import type { RuleMatch } from '#engine/rules/language/decision';
import { decorators, operators } from '#engine/rules/language/operators';
import { germanFact, hasGermanWords } from '#engine/rules/words/german/germanFact';

const value = { fact: 'activity', path: '$.value' };
const skus = { fact: 'activity', path: '$.lineItems[*].itemSKU' };

/** The rule of the demo that doubles coffee, as far as sentences tell of it. */
const rule: RuleDefinition = {
  key: 'coffee',
  name: 'Coffee',
  file: 'demo/coffee.json',
  programCode: 'demo',
  status: 'active',
  priority: 5,
  position: 0,
  programId: new ObjectId(),
  activityTypes: ['Accrual', 'Review'],
  effective: { from: new Date('2026-10-01T07:00:00Z') },
  conditions: {
    all: [
      { ...value, operator: 'greaterThanInclusive', value: 12_500.5 },
      { not: { fact: 'isBirthday', operator: 'equal', value: true } },
    ],
  },
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: value, times: 1.5 } }],
  limits: [{ what: 'points', per: 'member', period: 'day', max: 1, onExceed: 'reduce' }],
};

const stored: Rule = { ...rule, _id: new ObjectId(), version: 1 };

const context = { rules: [stored], date: new Date('2026-11-24T10:00:00Z'), timezone: 'Europe/Berlin', errors: [] };

function why(match: Partial<RuleMatch>, more: object = {}): string | undefined {
  const entry = { rule: stored._id, key: rule.key, name: rule.name, version: 1, fired: false, ...match };
  return explainMatches([entry], { ...context, ...more }, german)[0]?.sentence;
}

it.each([
  ['$.segments', [], 'das Mitglied ist in einem der Segmente "VIP"; es war in keinem'],
  ['$.segments', ['Staff'], 'das Mitglied ist in einem der Segmente "VIP"; es war in "Staff"'],
  ['$.tier', [], 'das Mitglied hat eine der Stufen "VIP"; es hatte keine'],
  ['$.tier', ['Silver'], 'das Mitglied hat eine der Stufen "VIP"; es hatte "Silver"'],
])('the conditions on members are said in German, and what a member has at %s: %j', (path, actual, sentence) => {
  const failed = { fact: 'member', path, operator: 'someFact:in', expected: ['VIP'], actual };
  expect(germanFailed(failed)).toBe(sentence);
});

describe('rules in German', () => {
  it('say a rule in a sentence, with numbers and dates as German writes them', () => {
    expect(german.rule(rule)).toBe(
      'Einkauf, Review, wenn alles davon gilt: Wert der Aktivität ist mindestens 12500,5; Folgendes nicht gilt: das Mitglied hat Geburtstag. Dann: Punkte (1,5 × Wert der Aktivität, abgerundet) in die Börse "Points" geben.',
    );
    expect(german.rule({ ...rule, conditions: { all: [] } })).toMatch(/^Einkauf, Review, immer: Punkte/);
    expect(german.lines(rule, 'Europe/Berlin')).toEqual(
      expect.arrayContaining([
        '  - ab 1. Oktober 2026, 09:00 (Europe/Berlin)',
        '  - 1 Punkt je Mitglied und Tag: darüber gibt es nur den Rest',
      ]),
    );
  });

  it.each<[string, Comparison]>([
    ['Wert der Aktivität ist nicht mindestens 964', { ...value, operator: 'not:greaterThanInclusive', value: 964 }],
    [
      'kein Element von Artikelnummer von Positionen der Aktivität ist "A"',
      { ...skus, operator: 'not:someFact:equal', value: 'A' },
    ],
    ['5 ist kleiner als Wert der Aktivität', { ...value, operator: 'swap:lessThan', value: 5 }],
    ['Wochentag ist eines von Samstag, Sonntag', { fact: 'dayOfWeek', operator: 'in', value: [6, 0] }],
    ['ext.code der Aktivität ist 12345', { fact: 'activity', path: '$.ext.code', operator: 'equal', value: 12_345 }],
    [
      'Datum der Aktivität liegt nicht höchstens 1,5 Tage vor oder nach dem Zeitpunkt der Aktivität',
      { fact: 'activity', path: '$.date', operator: 'not:withinDays', value: 1.5 },
    ],
    [
      'Datum der Aktivität liegt höchstens 3 Tage vor dem Zeitpunkt der Aktivität',
      { fact: 'activity', path: '$.date', operator: 'withinDays', value: { days: 3, direction: 'past' } },
    ],
  ])('say the comparison: %s', (sentence, comparison) => {
    expect(germanComparisonSentence(comparison)).toBe(sentence);
  });

  it('say why a rule fired or not', () => {
    const failedCondition = { ...value, operator: 'greaterThanInclusive', expected: 12_500.5, actual: 831 };
    expect(why({ reason: 'conditionFailed', failedCondition })).toBe(
      'Sie verlangt: Wert der Aktivität ist mindestens 12500,5; der Wert war 831.',
    );
    expect(why({ fired: true, granted: 3 })).toBe('Sie hat gegriffen: 3 Punkte in Points.');
    const taking: Rule = { ...stored, actions: [{ type: 'redeemPoints', purse: 'Points', points: 40 }] };
    expect(why({ fired: true, granted: 40 }, { rules: [taking] })).toBe('Sie hat gegriffen: 40 Punkte aus Points.');
    expect(why({ fired: true, granted: 0 })).toBe('Sie hat gegriffen: 0 Punkte.');
    expect(why({ fired: true, granted: 3 }, { rules: [] })).toBe('Sie hat gegriffen: 3 Punkte.');
    expect(why({ reason: 'limitReached', desired: 9 })).toBe(
      'Ihre Bedingungen galten (für 9 Punkte), aber ihre Grenze (1 Punkt je Mitglied und Tag) ist ausgeschöpft.',
    );
    const [amount] = (stored.limits ?? []).map((limit) => ({ ...limit, what: 'amount' as const, max: 50_000 }));
    expect(why({ reason: 'limitReached' }, { rules: [{ ...stored, limits: [amount] }] })).toBe(
      'Ihre Bedingungen galten, aber ihre Grenze (die ersten 50.000 von dem, wofür es Punkte gibt, je Mitglied und Tag) ist ausgeschöpft.',
    );
    const budget = { points: 90_000 };
    expect(why({ reason: 'budgetEmpty' }, { rules: [{ ...stored, budget }] })).toBe(
      'Ihre Bedingungen galten, aber ihr Budget (90.000 Punkte) ist ausgeschöpft.',
    );
    expect(german.lines({ ...rule, budget })).toContain('  - 90.000 Punkte insgesamt: darüber gibt es nur den Rest');
    expect(why({ reason: 'notEffective' }, { date: new Date('2026-09-30T10:00:00Z') })).toBe(
      'Sie beginnt am 1. Oktober 2026, 09:00 (Europe/Berlin); die Aktivität war am 30. September 2026, 12:00 (Europe/Berlin).',
    );
    expect(german.miss({ name: 'Coffee', count: 2, failed: [failedCondition], conditions: rule.conditions })).toBe(
      'Coffee fehlte 2 Bedingungen: Wert der Aktivität ist mindestens 12500,5; der Wert war 831; 1 nicht beurteilbar, da Werte nicht aufbewahrt wurden.',
    );
  });

  it('say what points a rule moved, and from whose purse', () => {
    const changes = [1, -2].map((points) => ({ purse: 'Points', points, isOther: points < 0 }));
    expect(why({ fired: true, granted: 1 }, { moved: new Map([[stored._id.toHexString(), changes]]) })).toBe(
      'Sie hat gegriffen: 1 Punkt in Points und 2 Punkte aus Points eines anderen Mitglieds.',
    );
  });

  it('say limits of a whole program and of other windows', () => {
    const limit = { what: 'times', per: 'program', max: 2, onExceed: 'skip' } as const;
    expect(germanLimit({ ...limit, period: 'week' })).toBe('2-mal im ganzen Programm je Woche');
    expect(germanLimit({ ...limit, per: 'member', period: { last: 7, unit: 'day' } })).toBe(
      '2-mal je Mitglied, gerechnet über jeweils 7 Tage',
    );
    expect(germanLimit({ ...limit, period: 'week', limitGroup: 'Bonus' })).toBe(
      '2-mal im ganzen Programm je Woche, zusammen mit allen Grenzen der Gruppe "Bonus"',
    );
  });

  it.each([
    [0.29, '29 %'],
    [0.07, '7 %'],
    [0.125, '12,5 %'],
  ])('say the share %s of a pool as %s', (share, reported) => {
    const action = { type: 'addPoints', purse: 'Points', points: 10, pool: { share } };
    expect(germanAction(action)).toBe(
      `10 Punkte in die Börse "Points" geben (${reported} davon an das Familienoberhaupt)`,
    );
  });

  it('have words for every fact, operator and action of the service', () => {
    expect(factNames.filter((fact) => !hasGermanWords(fact))).toEqual([]);
    expect(Object.keys(operators).filter((operator) => !germanPredicates.has(operator))).toEqual([]);
    expect(actionTypes.filter((type) => germanAction({ type }).startsWith(type))).toEqual([]);
    const output = Object.keys(decorators).map((word) =>
      germanComparisonSentence({ ...value, operator: `${word}:equal`, value: 1 }),
    );
    expect(new Set([...output, germanFact(value)]).size).toBe(output.length + 1);
  });

  it('show unknown names as they are written', () => {
    const add = { type: 'addPoints', purse: 'Points', points: 1 };
    const expiry = (unit: string) => germanAction(Object.assign({ expiry: { type: 'after', value: 3, unit } }, add));
    expect(expiry('day')).toBe('1 Punkt in die Börse "Points" geben (Verfall 3 Tage)');
    expect(expiry('constructor')).toBe('1 Punkt in die Börse "Points" geben (Verfall 3 constructor)');
    expect(germanFact({ fact: 'moonPhase' })).toBe('moonPhase');
    expect(germanAction({ type: 'sing' })).toBe('sing {}');
  });
});
