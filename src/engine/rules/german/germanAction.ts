import Big from 'big.js';
import type { ActionType } from '../actions/list';
import { isFactRef } from '../language/factRef';
import { germanAmount, germanPointsOf } from './germanAmount';
import { germanFact } from './germanFact';
import { germanTerm } from './germanPeriod';
import { germanNumber, germanValue } from './germanValue';

type Params = Readonly<Record<string, unknown>>;

/** An action in German: `10 Punkte in die Börse "Points" geben`. For an action without German words, its name and params. */
export function germanAction({ type, ...params }: { type: string }): string {
  const words = Object.hasOwn(actions, type) ? actions[type as ActionType] : undefined;
  return words?.(params) ?? `${type} ${germanValue(params)}`;
}

/** Another version of the service may have written the params, so nothing of them is certain. */
const actions: Readonly<Partial<Record<ActionType, (params: Params) => string>>> = {
  addPoints({ purse, points, ...terms }) {
    return `${germanPointsOf(points)} in die Börse ${germanValue(purse)} geben${termsText(terms)}`;
  },
  redeemPoints: ({ purse, points }) => `${germanPointsOf(points)} aus der Börse ${germanValue(purse)} nehmen`,
  setTier: ({ policy, level, ...time }) =>
    `Stufe in ${germanValue(policy)} auf ${germanValue(level)} setzen${timeText(time)}${keepText(time.keep)}`,
  transferPoints({ purse, points, toPurse, toMember }) {
    const to = toPurse === undefined ? `zum Mitglied ${germanValue(toMember)}` : `in die Börse ${germanValue(toPurse)}`;
    return `${germanPointsOf(points)} aus der Börse ${germanValue(purse)} ${to} verschieben`;
  },
  addMetric: ({ metric, value }) => `${germanAmount(value)} zur Kennzahl ${germanValue(metric)} zählen`,
  lookupProducts: () => 'Produkte der Positionen nachschlagen',
  addSegment: ({ segment }) => `Mitglied in das Segment ${germanValue(segment)} aufnehmen`,
  removeSegment: ({ segment }) => `Mitglied aus dem Segment ${germanValue(segment)} nehmen`,
  issueReward: ({ reward }) => `Prämie ${germanValue(reward)} ausgeben`,
  issueChoice({ rewards, default: other, validFor }) {
    const chosen = other === undefined ? '' : `, ohne Wahl ${germanValue(other)}`;
    const limited = validFor === undefined ? '' : `, Frist ${germanValue(validFor)}`;
    return `Mitglied eine der Prämien ${germanValue(rewards)} wählen lassen${chosen}${limited}`;
  },
  applyOffer: ({ offer }) => `Angebot ${germanValue(offer)} anwenden`,
  completeReferral({ purse, points, referrerPoints }) {
    const own = points === undefined ? '' : `, ${germanPointsOf(points)} an das Mitglied`;
    const other = referrerPoints === undefined ? '' : `, ${germanPointsOf(referrerPoints)} an den Empfehlenden`;
    return `Empfehlung abschließen, in der Börse ${germanValue(purse)}${own}${other}`;
  },
  setData({ values, texts, with: inTexts }) {
    const told = [
      ...(values === undefined ? [] : [germanValue(values)]),
      ...Object.entries({ ...Object(texts) }).map(([field, message]) => `${field} ${messageText(message, inTexts)}`),
    ];
    return `Daten der Antwort setzen: ${told.join('; ')}`;
  },
  setExt: ({ on, values }) =>
    `Erweiterungsfelder ${on === 'activity' ? 'der Aktivität' : 'des Mitglieds'} setzen: ${germanValue(values)}`,
  reject: ({ message, with: values }) => `Aktivität ablehnen: ${messageText(message, values)}`,
  log: ({ message, with: values }) => `ins Protokoll schreiben: ${messageText(message, values)}`,
};

function messageText(message: unknown, values: unknown): string {
  const named = Object.entries<unknown>({ ...Object(values) });
  if (named.length === 0) return germanValue(message);
  const told = named.map(([name, value]) => `${name}: ${isFactRef(value) ? germanFact(value) : germanAmount(value)}`);
  return `${germanValue(message)} mit ${told.join(' und ')}`;
}

function termsText({ escrow, expiry, pool }: Params): string {
  const terms = [
    ...(escrow ? [`Sperrfrist ${durationText(escrow)}`] : []),
    ...(expiry ? [`Verfall ${durationText(expiry)}`] : []),
    ...(pool ? [poolText(pool)] : []),
  ];
  return terms.length === 0 ? '' : ` (${terms.join(', ')})`;
}

/** A time with its end: `30 Tage`, `keine`. What has other parts appears as JSON. */
function durationText(duration: unknown): string {
  const { type, value, unit, ...more }: Params = { ...Object(duration) };
  if (type === 'none') return 'keine';
  const isPlain = typeof value === 'number' && typeof unit === 'string' && Object.keys(more).length === 0;
  return isPlain ? germanTerm(value, unit) : germanValue(duration);
}

function poolText(pool: unknown): string {
  const { share }: Params = { ...Object(pool) };
  const told =
    typeof share === 'number'
      ? `${germanNumber(new Big(share).times(100).toNumber())} %`
      : `Anteil ${germanValue(share)}`;
  return `${told} davon an das Familienoberhaupt`;
}

function timeText({ until, for: term }: Params): string {
  if (typeof until === 'string') return ` bis ${germanValue(until)}`;
  const { value, unit, snap }: Params = { ...Object(term) };
  if (typeof value !== 'number' || typeof unit !== 'string') return '';
  const period = typeof snap === 'string' ? snaps.get(snap) : undefined;
  if (period === undefined) return ` für ${germanTerm(value, unit)}`;
  return ` bis zum Ende ${period}${value === 0 ? '' : `, ${germanTerm(value, unit)} später`}`;
}

const snaps: ReadonlyMap<string, string> = new Map([
  ['endOfDay', 'des Tages'],
  ['endOfWeek', 'der Woche'],
  ['endOfMonth', 'des Monats'],
  ['endOfQuarter', 'des Quartals'],
  ['endOfYear', 'des Jahres'],
  ['endOfMemberYear', 'des Mitgliedsjahres'],
]);

function keepText(keep: unknown): string {
  const { metric, atLeast }: Params = { ...Object(keep) };
  if (metric === undefined) return '';
  return `; wer in dieser Zeit mindestens ${germanAmount(atLeast)} der Kennzahl ${germanValue(metric)} hat, behält sie`;
}
