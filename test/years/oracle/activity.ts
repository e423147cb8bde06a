import type { Burn, Lot } from './ledger';
import type { OracleMember } from './member';

/** Points that an activity gave, as one lot. */
export interface Award {
  member: OracleMember;
  purse: string;
  lot: Lot;
  points: number;
  returned: number;
  /** What the rule gives for a value, without its limit. */
  earned(value: number): number;
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

/** What an activity used of a limit. */
export interface Use {
  counter: string;
  points: number;
  /** Points come back with those of the award; times with the last return alone. */
  isPoints: boolean;
  returned: number;
}

/** An activity that was processed. */
export interface OracleActivity {
  id: string;
  type: 'Accrual' | 'Redemption';
  member: OracleMember;
  date: number;
  value: number;
  returnedValue: number;
  lines: Line[];
  isCancelled: boolean;
  awards: Award[];
  spendings: Spending[];
  transfers: Transfer[];
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
    metrics: [],
  };
}
