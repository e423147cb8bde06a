import type { Burn, Lot } from './ledger';
import type { Use } from './limits';
import type { OracleMember } from './member';
import type { OracleReferral } from './referral';

/** Points that an activity gave, as one lot. */
export interface Award {
  member: OracleMember;
  purse: string;
  lot: Lot;
  points: number;
  returned: number;
  /** What the rule gives for a value, without its limit. */
  earned(value: number): number;
  /** What it used of the limit or the budget of its rule. */
  use?: Use | undefined;
}

/** A line of a purchase. */
export interface Line {
  _id: string;
  itemSKU: string;
  itemAmount: number;
  quantity: number;
  returned: number;
}

/** Points that an activity burned. */
export interface Spending {
  purse: string;
  burns: Burn[];
  /** What lots did not cover. */
  debt: number;
  points: number;
  returned: number;
}

/** Points that an activity moved: each lot that they left, with the lot as which they arrived. */
export interface Transfer {
  from: OracleMember;
  fromPurse: string;
  to: OracleMember;
  toPurse: string;
  moves: { burn: Burn; lot: Lot }[];
  points: number;
  returned: number;
}

/** How an act ends. */
export interface Outcome {
  activity?: OracleActivity;
  /** The code of the error with which it ends. */
  error?: number;
}

/** What every act of the oracle takes. */
export interface Act {
  id: string;
  member: OracleMember;
  date: number;
  value: number;
  now: number;
}

/** An activity that was processed. */
export interface OracleActivity {
  id: string;
  type: 'Accrual' | 'Redemption' | 'Adjustment' | 'Referral';
  member: OracleMember;
  date: number;
  value: number;
  returnedValue: number;
  lines: Line[];
  isCancelled: boolean;
  awards: Award[];
  spendings: Spending[];
  transfers: Transfer[];
  /** The referral that it completed. */
  referral: OracleReferral | undefined;
  /** What it counted: a value is returned by its share, and the number of visits with the last return. */
  metrics: { metric: string; points: number; returned: number }[];
}

export function newActivity(fields: Pick<OracleActivity, 'id' | 'type' | 'member' | 'date' | 'value'>): OracleActivity {
  return {
    ...fields,
    returnedValue: 0,
    lines: [],
    isCancelled: false,
    awards: [],
    spendings: [],
    transfers: [],
    referral: undefined,
    metrics: [],
  };
}

/** The members whose points an activity moved. */
export function membersOf({ member, awards, transfers }: OracleActivity): Set<OracleMember> {
  return new Set([member, ...awards.map((award) => award.member), ...transfers.map(({ to }) => to)]);
}
