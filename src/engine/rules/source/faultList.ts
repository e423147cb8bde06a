import type { RuleFault } from './ruleSource';

/** Maximum number of stored faults of a file, and of stored warnings. */
const faultsMax = 100;

/** Maximum length of a message, in characters. A message may quote a long value of the file. */
const messageMax = 500;

/** The faults of one file, without duplicates. Rules made from the same lines have the same faults. */
export class FaultList {
  /** The first {@link faultsMax} faults. */
  readonly errors: RuleFault[] = [];
  readonly warnings: RuleFault[] = [];
  /** Number of faults found, with those that are not stored. */
  count = 0;
  private readonly seen = new Set<string>();

  /** Whether the list stores no further fault. */
  get isFull(): boolean {
    return this.errors.length >= faultsMax;
  }

  error(fault: RuleFault): void {
    this.count += 1;
    this.keep(this.errors, fault);
  }

  warning(fault: RuleFault): void {
    this.keep(this.warnings, fault);
  }

  private keep(list: RuleFault[], fault: RuleFault): void {
    const { params, ...rest } = fault;
    const { line, column, message } = fault;
    const key = `${line}:${column} ${message}`;
    if (list.length >= faultsMax || this.seen.has(key)) return;
    this.seen.add(key);
    list.push(message.length <= messageMax ? fault : { ...rest, message: `${message.slice(0, messageMax)}…` });
  }
}
