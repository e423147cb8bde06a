/** Points by rule: program, slash, key. */
export type RuleMap = ReadonlyMap<string, number>;

/** How two sets of rules differ, each list sorted. */
export interface ModelDiff {
  added: string[];
  changed: string[];
  removed: string[];
}

interface Aside {
  had: number | undefined;
  bySchedule: boolean;
}

/**
 * What the contract says of files, rollbacks and schedules, without any code of the service: a rule of the files comes
 * into force, unless it is set aside and its file still has what it had then.
 */
export class RulesModel {
  readonly files = new Map<string, number>();
  readonly broken = new Set<string>();
  readonly versions = new Map<number, RuleMap>();
  readonly aside = new Map<string, Aside>();
  readonly scheduled: { program: string; rules: RuleMap; version: number }[] = [];
  inForce: RuleMap = new Map();
  version = 0;
  private last = 0;

  /** What a publication of all files puts into force. */
  published(): { rules: RuleMap; aside: Map<string, Aside> } {
    const rules = new Map(this.inForce);
    const aside = new Map(this.aside);
    for (const id of new Set([...this.files.keys(), ...rules.keys()])) {
      if (this.broken.has(programOf(id))) continue;
      const kept = aside.get(id);
      if (kept && kept.had === this.files.get(id)) continue;
      aside.delete(id);
      put(rules, id, this.files.get(id));
    }
    for (const id of aside.keys()) {
      if (!this.broken.has(programOf(id)) && aside.get(id)?.had !== this.files.get(id)) aside.delete(id);
    }
    return { rules, aside };
  }

  publish(): void {
    const { rules, aside } = this.published();
    this.become(rules, aside);
  }

  rollBack(version: number): void {
    const wanted = this.versions.get(version) ?? new Map();
    if (isSame(wanted, this.inForce)) return;
    this.become(
      wanted,
      this.asideFor(wanted, () => false),
    );
  }

  restore(id: string): void {
    const rules = new Map(this.inForce);
    put(rules, id, this.aside.get(id)?.had);
    this.aside.delete(id);
    this.become(rules, this.aside);
  }

  schedule(program: string): void {
    const own = [...this.files].filter(([id]) => programOf(id) === program);
    this.last = Math.max(this.last, this.version) + 1;
    this.scheduled.push({ program, rules: this.keptByRollback(program, new Map(own)), version: this.last });
  }

  /** Puts the first scheduled version into force. */
  adopt(): void {
    const next = this.scheduled.shift();
    if (!next) return;
    const own = this.keptByRollback(next.program, next.rules);
    const rules = new Map([...this.inForce].filter(([id]) => programOf(id) !== next.program));
    for (const [id, points] of own) rules.set(id, points);
    const byRollback = (id: string) => this.aside.get(id)?.bySchedule === false;
    const aside = this.asideFor(rules, (id) => !byRollback(id));
    this.become(rules, aside, true);
  }

  diff(to: RuleMap): ModelDiff {
    return difference(this.inForce, to);
  }

  private keptByRollback(program: string, wanted: RuleMap): RuleMap {
    const rules = new Map(wanted);
    for (const [id, { had, bySchedule }] of this.aside) {
      if (programOf(id) === program && !bySchedule && had === wanted.get(id)) put(rules, id, this.inForce.get(id));
    }
    return rules;
  }

  private asideFor(next: RuleMap, bySchedule: (id: string) => boolean): Map<string, Aside> {
    const ids = new Set([...this.inForce.keys(), ...this.aside.keys(), ...next.keys()]);
    const found = new Map<string, Aside>();
    for (const id of ids) {
      const kept = this.aside.get(id);
      const had = kept ? kept.had : this.inForce.get(id);
      if (had !== next.get(id)) found.set(id, { had, bySchedule: bySchedule(id) });
    }
    return found;
  }

  private become(rules: RuleMap, aside: Map<string, Aside>, always = false): void {
    const isNew = always || !isSame(rules, this.inForce);
    const entries = [...aside];
    this.aside.clear();
    for (const [id, entry] of entries) this.aside.set(id, entry);
    if (!isNew) return;
    this.version = Math.max(this.version, this.last) + 1;
    this.inForce = rules;
    this.versions.set(this.version, rules);
  }
}

export function programOf(id: string): string {
  return id.split('/', 1)[0] ?? '';
}

export function difference(from: RuleMap, to: RuleMap): ModelDiff {
  return {
    added: [...to.keys()].filter((id) => !from.has(id)).sort(),
    changed: [...to]
      .filter(([id, points]) => from.has(id) && from.get(id) !== points)
      .map(([id]) => id)
      .sort(),
    removed: [...from.keys()].filter((id) => !to.has(id)).sort(),
  };
}

function isSame(a: RuleMap, b: RuleMap): boolean {
  return a.size === b.size && [...a].every(([id, points]) => b.get(id) === points);
}

function put(rules: Map<string, number>, id: string, points: number | undefined): void {
  if (points === undefined) rules.delete(id);
  else rules.set(id, points);
}
