import { message } from '#base/common/messages/message';
import {
  type ConditionScope,
  checkConditions,
  conditionLimits,
  tooManyFault,
  type WrittenCondition,
} from '../check/checkConditions';
import type { Condition } from '../language/condition';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** A named condition as a file writes it: `{"namedCondition": "weekend", "conditions": {...}}`. */
export interface NamedEntry {
  name: string;
  source: RuleSource;
  /** Path of the entry in its file. */
  at: JsonPath;
  conditions: unknown;
}

/** Maximum number of named conditions of a program. */
export const namedConditionsMax = 500;

/** Maximum number of names of a circle in a message. */
const shownMax = 8;

/** The size of conditions after their references are expanded. */
interface Size {
  count: number;
  depth: number;
}

/**
 * The named conditions of a program. Rules get them expanded in place, so that a rule alone explains a decision.
 * json-rules-engine also expands a reference in place (rule.js, `realize`) and orders it by the reference's priority.
 */
export class NamedConditions {
  private readonly checked = new Map<string, { entry: NamedEntry; conditions: WrittenCondition }>();
  /** Undefined for a name that is being counted, belongs to a circle or refers to a faulty definition. */
  private readonly sizes = new Map<string, Size | undefined>();
  private readonly expanded = new Map<string, Condition>();

  /** Checks all definitions. Faulty ones are left out. Each circle is reported at one of its definitions. */
  constructor(entries: readonly NamedEntry[], scope: ConditionScope) {
    const [oneMore] = entries.slice(namedConditionsMax);
    const tooManyText = message('rules.tooManyNamedConditions', {
      count: namedConditionsMax + 1,
      max: namedConditionsMax,
    });
    oneMore?.source.error(oneMore.at, tooManyText);
    for (const entry of entries.slice(0, namedConditionsMax)) {
      const at = [...entry.at, 'conditions'];
      if (this.checked.has(entry.name)) {
        entry.source.error(
          [...entry.at, 'namedCondition'],
          message('rules.namedConditionTwice', { entry: entry.name }),
        );
      } else if (checkConditions(entry.source, at, entry.conditions, scope) && isWritten(entry.conditions)) {
        this.checked.set(entry.name, { entry, conditions: entry.conditions });
      }
    }
    this.nameCircles();
  }

  /**
   * Replaces every reference by the conditions of its definition. Returns undefined when the result is too large, after
   * reporting it, or when a referenced definition is faulty.
   */
  expand(source: RuleSource, at: JsonPath, written: WrittenCondition): Condition | undefined {
    const size = this.sizeOf(written);
    if (!size) return undefined;
    const { countMax, depthMax } = conditionLimits;
    if (size.count > countMax) source.error(at, tooManyFault(size.count));
    if (size.depth > depthMax) source.error(at, message('rules.conditionsTooDeep', { max: depthMax }));
    return size.count > countMax || size.depth > depthMax ? undefined : this.expandNode(written);
  }

  /** Reports circles of references. Follows every reference once. */
  private nameCircles(): void {
    const trail: string[] = [];
    const seen = new Set<string>();
    const follow = (name: string): void => {
      const definition = this.checked.get(name);
      if (!definition) return;
      if (trail.includes(name)) {
        const { source, at } = definition.entry;
        source.error(
          [...at, 'namedCondition'],
          message('rules.refersToItself', { name, circle: circleText(trail, name) }),
        );
      }
      if (seen.has(name)) return;
      seen.add(name);
      trail.push(name);
      for (const next of new Set(conditionReferences(definition.conditions))) follow(next);
      trail.pop();
    };
    for (const name of this.checked.keys()) follow(name);
  }

  /** Counts without expanding, since a few definitions can expand to millions of conditions. */
  private sizeOf(node: WrittenCondition): Size | undefined {
    if (!('condition' in node)) {
      const sizes = childConditions(node).map((child) => this.sizeOf(child));
      return sizes.reduce<Size | undefined>((sum, size) => sum && size && added(sum, size), { count: 1, depth: 1 });
    }
    const { condition: name } = node;
    const definition = this.checked.get(name);
    if (this.sizes.has(name) || !definition) return this.sizes.get(name);
    this.sizes.set(name, undefined);
    this.sizes.set(name, this.sizeOf(definition.conditions));
    return this.sizes.get(name);
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

/** The names of a circle. Only the beginning and the end of a long one. */
function circleText(trail: readonly string[], name: string): string {
  const circle = trail.slice(trail.indexOf(name));
  const shown = circle.length <= shownMax ? circle : [...circle.slice(0, shownMax - 1), '…', ...circle.slice(-1)];
  return [...shown, name].join(' -> ');
}

function added(sum: Size, size: Size): Size {
  return { count: sum.count + size.count, depth: Math.max(sum.depth, size.depth + 1) };
}

function childConditions(node: Condition): readonly WrittenCondition[] {
  if ('all' in node) return node.all;
  if ('any' in node) return node.any;
  return 'not' in node ? [node.not] : [];
}

function conditionReferences(node: WrittenCondition): string[] {
  return 'condition' in node ? [node.condition] : childConditions(node).flatMap(conditionReferences);
}

/** For conditions in which {@link checkConditions} found no fault. */
export function isWritten(value: unknown): value is WrittenCondition {
  return typeof value === 'object' && value !== null;
}
