import { ObjectId } from 'bson';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { integerMax } from '#base/schema/atoms';
import { comparable } from '#base/schema/findable';
import { parseInstant } from '#base/schema/instant';
import { addAdjusted } from '#engine/points/ledger/adjust';
import { grantLevel } from '#engine/tiers/grants';
import { emptyLadder, setLevel } from '#engine/tiers/ladder';
import { findLadder, withLadder } from '#engine/tiers/memberTiers';
import type { ChangedItem } from '#members/memberState/adjustMember';
import type { MemberState } from '#members/memberState/memberState';
import { ladderInput } from '#members/memberState/settleState';
import type { ImportRow } from './importKind';

/** The prefixes of the columns of members for points and levels. */
export const openingPrefixes = ['balance:', 'tier:', 'tierUntil:'] as const;

/** What a row says that a member has beside its own fields. */
export interface OpeningBalances {
  /** Points by the name of their purse policy. */
  balances: ReadonlyMap<string, number>;
  /** Levels by the name of their tier policy. */
  levels: ReadonlyMap<string, { level: string; until?: Date }>;
}

/** Divides the fields of a row of a member into its own ones and what it begins with. */
export function readOpeningBalances(value: ImportRow['value']): {
  body: Record<string, unknown>;
  beginnings: OpeningBalances;
  faults: FieldError[];
} {
  const balances = new Map<string, number>();
  const levels = new Map<string, { level: string; until?: Date }>();
  const faults: FieldError[] = [];
  const own: [string, unknown][] = [];
  for (const [column, sent] of Object.entries(value)) {
    const prefix = openingPrefixes.find((each) => column.startsWith(each));
    const name = comparable(column.slice(prefix?.length ?? 0));
    if (!prefix) own.push([column, sent]);
    else if (sent === null) continue;
    else if (prefix === 'balance:') {
      if (isPoints(sent)) balances.set(name, sent);
      else faults.push({ path: column, kind: 'type', ...message('imports.wholeNumberFromZero', { max: integerMax }) });
    } else if (typeof sent !== 'string')
      faults.push({ path: column, kind: 'type', ...message('schema.type', { type: 'string' }) });
    else if (prefix === 'tier:') levels.set(name, { ...levels.get(name), level: comparable(sent) });
    else {
      const until = parseInstant(sent);
      if (until) levels.set(name, { level: '', ...levels.get(name), until });
      else faults.push({ path: column, kind: 'date', ...message('schema.date') });
    }
  }
  return { body: Object.fromEntries(own), beginnings: { balances, levels }, faults };
}

function isPoints(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The key of the item that a balance of a member becomes. It says nothing of the person, so it outlasts an erasure. */
export function balanceKey(member: ObjectId, purse: string): string {
  return `balance:${purse}:${member.toHexString()}`;
}

/**
 * Adds the balances of a row to a member, each as one accrual item that is available at once.
 * @throws ServiceError 1200 for a purse that the program does not have, before anything is changed
 */
export function addBalances(state: MemberState, balances: OpeningBalances['balances']): ChangedItem[] {
  const found = [...balances].map(([name, points]) => {
    return { name, points, policy: state.policies.find((each) => each.name === name) };
  });
  const faults = found.flatMap(({ name, policy }) => (policy ? [] : [noSuch(`balance:${name}`, 'purse policy')]));
  if (faults.length > 0) throw validationError(faults);
  return found.flatMap(({ name, points, policy }) => {
    if (!policy || points === 0) return [];
    const item = new ObjectId();
    const { now } = state.ledger;
    addAdjusted(state.ledger, { _id: item, purse: policy._id, points, date: now, dtEscrowsOn: now, origin: {} });
    return [{ item, fields: { externalId: balanceKey(state.doc._id, name) } }];
  });
}

/**
 * Gives a new member the levels of a row: with a date for that time, else by the terms of the policy.
 * @throws ServiceError 1200 for a policy or level that the program does not have, before anything is changed
 */
export function giveLevels(state: MemberState, levels: OpeningBalances['levels']): void {
  const found = [...levels].map(([name, { level: levelName, until }]) => {
    const policy = state.tierPolicies.find((each) => each.name === name);
    return { name, until, policy, level: policy?.levels.find((each) => each.name === levelName) };
  });
  const faults = found.flatMap(({ name, policy, level }) => {
    if (!policy) return [noSuch(`tier:${name}`, 'tier policy')];
    return level ? [] : [{ path: `tier:${name}`, kind: 'reference', ...message('imports.noLevel') }];
  });
  if (faults.length > 0) throw validationError(faults);
  for (const { policy, level, until } of found) {
    if (!policy || !level) continue;
    const ladder = findLadder(state.tiers, policy._id) ?? emptyLadder({ policy });
    const to = { name: level.name, number: level.number };
    const input = ladderInput(state, policy);
    if (until && until <= input.now) continue;
    const next = until ? grantLevel(ladder, { level: to, expiresOn: until }, input) : setLevel(ladder, to, input);
    state.tiers = withLadder(state.tiers, next, { policy, why: 'set' });
  }
}

function noSuch(path: string, what: string): FieldError {
  return { path, kind: 'reference', ...message('imports.notOfProgram', { what }) };
}
