import type { Clock } from '#base/common/clock';
import { withRetries } from '#base/db/transaction';
import type { Auditor } from '#platform/audit/auditor';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { OrgVersions } from '#platform/orgs/orgVersions';

/** Who writes a record, by which services, and when. A request has it, and so have an import and a definition file. */
export interface WriteContext {
  services: Infrastructure;
  /** The author. */
  principal: Principal;
  /** How the audit log names the author. */
  auditor: Auditor & { versions?: OrgVersions };
  /** The time of the org: in a sandbox, that of its own clock, as `services.clock` is. */
  now: Date;
  /** The machine's clock, which no sandbox moves. */
  machineClock: Clock;
}

/** What reads of records on the way to a write need. */
export type OrgContext = Pick<WriteContext, 'services' | 'principal'>;

/** Repeats a write that lost to a concurrent one, until it succeeds or its time ends. */
export function retried<T>({ services: { clock } }: WriteContext, attempt: () => Promise<T>): Promise<T> {
  return withRetries(attempt, { now: () => clock.now().getTime() });
}
