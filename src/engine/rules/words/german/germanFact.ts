import { readAwardFilter } from '../../language/awardFilter';
import { readClock } from '../../language/clock';
import { daysSinceOccasion } from '../../language/daysSinceParams';
import { readAggregateParams, readCrossedParams } from '../../language/factParams';
import { isFactRef } from '../../language/factRef';
import { type PathStep, parsePath } from '../../language/path';
import { readTableParams } from '../../language/tableParams';
import type { ShownRef } from '../factPhrase';
import { germanName } from './germanNames';
import { germanPeriod } from './germanPeriod';
import { germanValue } from './germanValue';

/**
 * A fact, or the part of it that a path selects, in German: `Wert der Aktivität`. Phrases have no article, so that they
 * fit anywhere in a sentence.
 */
export function germanFact({ fact, path, params }: ShownRef): string {
  if (fact === 'table') return tablePhrase(path, params);
  const steps = path === undefined ? [] : parsePath(path);
  const [first, second] = steps;
  if (first === undefined || first.all) return germanPath(germanWholeFact(fact, params), steps);
  const owner = owners.get(fact);
  const isNamed = second !== undefined && !second.all;
  const named = isNamed && fact === 'member' ? memberPhrases.get(first.name) : undefined;
  if (isNamed && named) return germanPath(named(second.name), steps.slice(2));
  const ownerText = owner ? owner[1] : `von ${germanWholeFact(fact, params)}`;
  if (isNamed && first.name === 'ext') return germanPath(`ext.${second.name} ${ownerText}`, steps.slice(2));
  return germanPath(`${germanName(first.name)} ${ownerText}`, steps.slice(1));
}

/** The sentences for boolean facts: the first for true, the second for false. */
export const germanStatements: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['isBirthday', ['das Mitglied hat Geburtstag', 'das Mitglied hat nicht Geburtstag']],
  ['isFirstActivity', ['es ist der erste Einkauf des Mitglieds', 'es ist nicht der erste Einkauf des Mitglieds']],
]);

/** Facts that have parts: their name, and as the owner of a part. */
const owners: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['activity', ['Aktivität', 'der Aktivität']],
  ['member', ['Mitglied', 'des Mitglieds']],
  ['program', ['Programm', 'des Programms']],
  ['location', ['Ort', 'des Orts']],
  ['partner', ['Partner', 'des Partners']],
  ['lineItem', ['Position', 'der Position']],
  ['product', ['Produkt', 'des Produkts']],
]);

const phrases: ReadonlyMap<string, string> = new Map([
  ['now', 'Zeitpunkt der Verarbeitung'],
  ['dayOfWeek', 'Wochentag'],
  ['hour', 'Stunde des Tages'],
  ['birthMonth', 'Geburtsmonat des Mitglieds'],
  ['isBirthday', 'Geburtstag des Mitglieds am Tag der Aktivität'],
  ['isFirstActivity', 'erster Einkauf des Mitglieds'],
  ['eligibleAmount', 'Betrag der passenden Positionen'],
  ['eligibleQuantity', 'Menge der passenden Positionen'],
]);

const memberPhrases: ReadonlyMap<string, (name: string) => string> = new Map([
  ['tier', (name: string) => `Stufe des Mitglieds in ${name}`],
  ['tierNumber', (name: string) => `Nummer der Stufe des Mitglieds in ${name}`],
  ['tierUntil', (name: string) => `Ende der Stufe des Mitglieds in ${name}`],
  ['tierMissing', (name: string) => `was dem Mitglied noch fehlt, um seine Stufe in ${name} zu behalten`],
  ['tierSince', (name: string) => `Beginn der Stufe des Mitglieds in ${name}`],
  ['segmentSince', (name: string) => `Eintritt des Mitglieds in das Segment ${name}`],
  ['purse', (name: string) => `Börse ${name} des Mitglieds`],
]);

/** Facts that are worded by their params. */
const phrasesWithParams: ReadonlyMap<string, (params: ShownRef['params']) => string> = new Map([
  ['aggregate', aggregatePhrase],
  ['crossed', crossedPhrase],
  ['daysSince', daysSincePhrase],
  ['tender', tenderPhrase],
  ['pointsOfActivity', pointsPhrase],
  [
    'amountOfActivity',
    (params: ShownRef['params']) =>
      `Betrag, für den die Regel ${germanValue(readAwardFilter(params).rule)} in dieser Aktivität Punkte gab`,
  ],
]);

function germanWholeFact(fact: string, params: ShownRef['params']): string {
  const phrase = phrasesWithParams.get(fact)?.(params) ?? phrases.get(fact) ?? owners.get(fact)?.[0] ?? fact;
  return readClock(params) === 'location' ? `${phrase} am Ort` : phrase;
}

/** Tells whether a fact has German words. */
export function hasGermanWords(fact: string): boolean {
  return fact === 'table' || phrasesWithParams.has(fact) || phrases.has(fact) || owners.has(fact);
}

function tablePhrase(path: string | undefined, params: ShownRef['params']): string {
  const { name = '', keys = [] } = readTableParams(params) ?? {};
  const of = keys.map((key) => (isFactRef(key) ? germanFact(key) : germanValue(key))).join(' und ');
  const [column] = path === undefined ? [] : parsePath(path);
  const what = column === undefined || column.all ? 'Zeile' : column.name;
  return `${what} der Tabelle ${name} für ${of}`;
}

function tenderPhrase(params: ShownRef['params']): string {
  const filter = Object.entries({ ...(params?.filter as object | undefined) });
  const with_ = filter.map(([name, value]) => `${germanName(name)} ${germanValue(value)}`);
  return with_.length === 0 ? 'bezahlter Betrag' : `Betrag, bezahlt mit ${with_.join(' und ')}`;
}

function pointsPhrase(params: ShownRef['params']): string {
  const { rule, purse } = readAwardFilter(params);
  const by = rule === undefined ? '' : ` von der Regel ${germanValue(rule)}`;
  const to = purse === undefined ? '' : ` in der Börse ${germanValue(purse)}`;
  return `Summe der bisher in dieser Aktivität${by} gegebenen Punkte${to}`;
}

const metrics: ReadonlyMap<string, string> = new Map([
  ['spend', 'Umsatz'],
  ['visits', 'Zahl der Besuche'],
  ['pointsEarned', 'Summe der gesammelten Punkte'],
  ['pointsRedeemed', 'Summe der eingelösten Punkte'],
  ['pointsExpired', 'Summe der verfallenen Punkte'],
]);

function aggregatePhrase(params: ShownRef['params']): string {
  const { metric, period } = readAggregateParams(params) ?? {};
  if (metric === undefined || period === undefined) return 'Summe des Mitglieds';
  const [name = '', purse] = metric.split(':');
  const of = purse === undefined ? '' : ` in ${purse}`;
  return `${metrics.get(name) ?? name} des Mitglieds${of} ${germanPeriod(period)}`;
}

function crossedPhrase(params: ShownRef['params']): string {
  const { of } = readCrossedParams(params) ?? {};
  if (of === undefined) return 'Anzahl der Schwellen, die die Aktivität überschreitet';
  const steps = typeof of === 'number' ? `Vielfachen von ${germanValue(of)}` : `Schwellen (${germanValue(of)})`;
  return `Anzahl der ${steps}, die die Aktivität überschreitet (${aggregatePhrase(params)})`;
}

function daysSincePhrase(params: ShownRef['params']): string {
  const of = daysSinceOccasion(params);
  if (of === undefined) return 'Zahl der Tage seitdem';
  if (of === 'lastVisit') return 'Zahl der Tage seit dem letzten Besuch des Mitglieds';
  if (of === 'enrolment') return 'Zahl der Tage seit der Anmeldung des Mitglieds';
  if (of === 'birthday') return 'Zahl der Tage seit dem Geburtstag des Mitglieds';
  if ('tier' in of) return `Zahl der Tage seit dem Beginn der Stufe in ${of.tier}`;
  return `Zahl der Tage seit dem Eintritt in das Segment ${of.segment}`;
}

function germanPath(whole: string, steps: readonly PathStep[]): string {
  return steps.reduce((phrase, step, n) => partPhrase(phrase, step, n === steps.length - 1), whole);
}

function partPhrase(whole: string, step: PathStep, isLast: boolean): string {
  if (step.all) return isLast ? `Elemente von ${whole}` : whole;
  if (/^\d+$/.test(step.name)) return `Element ${Number(step.name) + 1} von ${whole}`;
  return step.name === 'length' ? `Anzahl von ${whole}` : `${germanName(step.name)} von ${whole}`;
}
