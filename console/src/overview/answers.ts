import type { paths } from 'loyalty-client/generated/api';

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** What a program recorded in a period. */
export type ProgramReport = Answer<'/api/v1/reports/program'>;

/** Who the members of a program are. */
export type MemberReport = Answer<'/api/v1/reports/members'>;

/** What the points of a program will cost. */
export type LiabilityReport = Answer<'/api/v1/forecasts/liability'>;
