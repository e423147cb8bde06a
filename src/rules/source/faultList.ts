import type { RuleFault } from './ruleSource';

/** How many faults, and how many warnings, of a file are named; more tell nothing new. */
const faultsMax = 100;

/** Longest message of a fault, which may quote what stands in the file. */
const messageMax = 500;

/** The faults of one file. Rules made from the same lines have the same faults: each is named once. */
export class FaultList {
  /** The first {@link faultsMax} faults. */
  readonly errors: RuleFault[] = [];
  readonly warnings: RuleFault[] = [];
  /** How many faults were found, also those that are not kept. */
  count = 0;
  private readonly seen = new Set<string>();

  /** Whether no further fault would be named. */
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
    const { line, column, message } = fault;
    const key = `${line}:${column} ${message}`;
    if (list.length >= faultsMax || this.seen.has(key)) return;
    this.seen.add(key);
    list.push(message.length <= messageMax ? fault : { ...fault, message: `${message.slice(0, messageMax)}…` });
  }
}
