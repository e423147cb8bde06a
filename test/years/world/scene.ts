import type { OracleAccount } from '../oracle/account';
import type { Comparison } from './compare';
import type { Random } from './draw';
import type { MovedFleet } from './fleet';
import type { WorldProgram } from './program';

/** Where acts happen, and when. */
export interface Scene {
  fleet: MovedFleet;
  program: WorldProgram;
  programs: readonly WorldProgram[];
  accounts: OracleAccount[];
  random: Random;
  now: number;
  compare: Comparison;
}

/** The purses of every program. */
export const purses = ['Points', 'Miles', 'Stars', 'Coins'] as const;
