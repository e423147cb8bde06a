import { type ConditionScope, checkConditions, conditionLimits, type WrittenCondition } from './checkConditions';
import type { Condition } from './condition';
import type { JsonPath, RuleSource } from './ruleSource';

/** A named condition as it stands in a file: `{"namedCondition": "weekend", "conditions": {...}}`. */
export interface NamedEntry {
  name: string;
  source: RuleSource;
  /** Where the entry stands in its file. */
  at: JsonPath;
  conditions: unknown;
}

/** How large conditions are once their references are expanded. */
interface Size {
  count: number;
  depth: number;
}

/**
 * The named conditions of a program. Rules get them expanded in place, so a rule explains itself; json-rules-engine
 * does the same when it meets a reference (rule.js, `realize`), and orders it by the priority of the reference.
 */
export class NamedConditions {
  private readonly checked = new Map<string, { entry: NamedEntry; conditions: WrittenCondition }>();
  private readonly sizes = new Map<string, Size>();
  private readonly expanded = new Map<string, Condition>();

  /** Checks all definitions; faulty and cyclic ones are left out after adding their faults. */
  constructor(entries: readonly NamedEntry[], scope: ConditionScope) {
    for (const entry of entries) {
      const at = [...entry.at, 'conditions'];
      if (this.checked.has(entry.name)) {
        entry.source.error([...entry.at, 'namedCondition'], `the named condition "${entry.name}" is defined twice`);
      } else if (checkConditions(entry.source, at, entry.conditions, scope) && isWritten(entry.conditions)) {
        this.checked.set(entry.name, { entry, conditions: entry.conditions });
      }
    }
    for (const { entry } of this.checked.values()) this.checkCycle(entry);
  }

  /**
   * Conditions with every reference replaced by what it stands for, or undefined when they are too large, or refer to
   * a definition that is faulty; the first adds a fault.
   */
  expand(source: RuleSource, at: JsonPath, written: WrittenCondition): Condition | undefined {
    const size = this.sizeOf(written, new Set());
    if (!size) return undefined;
    const { countMax, depthMax } = conditionLimits;
    if (size.count > countMax) source.error(at, `these are ${size.count} conditions; a rule has at most ${countMax}`);
    if (size.depth > depthMax) source.error(at, `conditions nest deeper than ${depthMax} levels`);
    return size.count > countMax || size.depth > depthMax ? undefined : this.expandNode(written);
  }

  private checkCycle({ name, source, at }: NamedEntry): void {
    const trail: string[] = [];
    const seen = new Set<string>();
    const leadsBack = (from: string): boolean => {
      if (from === name && trail.length > 0) return true;
      if (seen.has(from)) return false;
      seen.add(from);
      trail.push(from);
      const definition = this.checked.get(from);
      if (definition && referencesOf(definition.conditions).some(leadsBack)) return true;
      trail.pop();
      return false;
    };
    if (!leadsBack(name)) return;
    source.error([...at, 'namedCondition'], `"${name}" refers to itself: ${[...trail, name].join(' -> ')}`);
  }

  /** Counts without expanding, since a few definitions can stand for millions of conditions. */
  private sizeOf(node: WrittenCondition, open: Set<string>): Size | undefined {
    if (!('condition' in node)) {
      const sizes = childrenOf(node).map((child) => this.sizeOf(child, open));
      return sizes.reduce<Size | undefined>((sum, size) => sum && size && added(sum, size), { count: 1, depth: 1 });
    }
    const known = this.sizes.get(node.condition);
    const definition = this.checked.get(node.condition);
    if (known || !definition || open.has(node.condition)) return known;
    const size = this.sizeOf(definition.conditions, new Set([...open, node.condition]));
    if (size) this.sizes.set(node.condition, size);
    return size;
  }

  private expandNode(node: WrittenCondition): Condition {
    if ('all' in node) return { ...node, all: node.all.map((child) => this.expandNode(child)) };
    if ('any' in node) return { ...node, any: node.any.map((child) => this.expandNode(child)) };
    if ('not' in node) return { ...node, not: this.expandNode(node.not) };
    if (!('condition' in node)) return node;
    const { condition: name, ...own } = node;
    const known = this.expanded.get(name) ?? this.expandNode(this.checked.get(name)?.conditions ?? { all: [] });
    this.expanded.set(name, known);
    const { priority: _ignored, ...definition } = known;
    return { ...own, ...definition };
  }
}

function added(sum: Size, size: Size): Size {
  return { count: sum.count + size.count, depth: Math.max(sum.depth, size.depth + 1) };
}

function childrenOf(node: Condition): readonly WrittenCondition[] {
  if ('all' in node) return node.all;
  if ('any' in node) return node.any;
  return 'not' in node ? [node.not] : [];
}

function referencesOf(node: WrittenCondition): string[] {
  return 'condition' in node ? [node.condition] : childrenOf(node).flatMap(referencesOf);
}

/** Conditions that {@link checkConditions} found no fault in. */
export function isWritten(value: unknown): value is WrittenCondition {
  return typeof value === 'object' && value !== null;
}
