import type { ObjectId } from 'bson';
import type { ActingRule } from '../../rules/actions/actionTarget';

/** An entry of `result.log` (SPEC "Result object"). */
interface LogEntry {
  action: string;
  rule?: ObjectId;
  results: unknown;
  time: Date;
  type: string;
}

/** What becomes the log of an activity's result. */
export class ActivityLog {
  private readonly entries: LogEntry[] = [];

  /** @param type of the activity */
  constructor(
    private readonly time: Date,
    private readonly type: string,
  ) {}

  /** Writes what an action of a rule did. */
  record(action: string, rule: ActingRule, results: unknown): void {
    this.entries.push({ action, rule: rule._id, results, time: this.time, type: this.type });
  }

  /** Writes what comes from no rule. */
  note(action: string, results: unknown): void {
    this.entries.push({ action, results, time: this.time, type: this.type });
  }

  /** The log as answered: of an activity that had no effect, only what rules wrote themselves. */
  shown(isProcessed: boolean): Record<string, unknown>[] {
    return this.entries.filter(({ action }) => isProcessed || action === 'log').map((entry) => ({ ...entry }));
  }
}
