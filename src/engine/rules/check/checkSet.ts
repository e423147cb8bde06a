import { message } from '#base/common/messages/message';
import { LimitGroups } from './checkLimits';
import type { SourcedRule } from './sourcedRule';

/** The file of the rule in force with a key, or of the table; undefined when none is in force. */
export type FileInForce = (key: string) => string | undefined;

/**
 * Checks what concerns several rules of one program: keys are unique, and the rules of a group and of a limit group
 * agree. When a key is in two files, the fault is reported in the copy: the file that the rule in force does not come
 * from.
 */
export function checkSet(placed: readonly SourcedRule[], fileInForce: FileInForce = () => undefined): void {
  const keys = new Map<string, SourcedRule>();
  const tables = new Set<string>();
  const groups = new Map<string, SourcedRule>();
  const limitGroups = new LimitGroups();
  for (const one of placed) {
    const { rule, row } = one;
    claimKey(one, rule.key, keys, fileInForce);
    limitGroups.add(one);
    const place = `${one.source.file.path} ${one.at.join()}`;
    // Tests refer to a table by its key, so no rule may have the same key.
    if (row && !tables.has(place)) claimKey(one, row.table, keys, fileInForce);
    if (row) tables.add(place);
    if (rule.group === undefined || rule.pick === undefined) continue;
    const head = groups.get(rule.group);
    if (head) checkSameGroup(one, head);
    else groups.set(rule.group, one);
  }
}

function claimKey(one: SourcedRule, key: string, keys: Map<string, SourcedRule>, fileInForce: FileInForce): void {
  const same = keys.get(key);
  const original = same && fileInForce(key);
  const isOriginal = original === one.source.file.path && original !== same?.source.file.path;
  if (!same || isOriginal) keys.set(key, one);
  if (!same) return;
  const [kept, copy] = isOriginal ? [one, same] : [same, one];
  copy.source.error([...copy.at, 'key'], message('rules.keyTaken', { key, place: locationText(kept) }));
}

/** All rules of a group need the same `pick`; for the highest or lowest they also need the same priority. */
function checkSameGroup({ source, at, rule }: SourcedRule, head: SourcedRule): void {
  if (rule.pick !== head.rule.pick) {
    source.error(
      [...at, 'pick'],
      message('rules.groupPick', { group: rule.group ?? '', pick: head.rule.pick ?? '', place: locationText(head) }),
    );
  } else if ((rule.pick === 'highest' || rule.pick === 'lowest') && rule.priority !== head.rule.priority) {
    const same = { pick: rule.pick, place: locationText(head), priority: head.rule.priority };
    source.error([...at, 'priority'], message('rules.pickPriority', same));
  }
}

function locationText({ source, rule }: SourcedRule): string {
  return `"${rule.key}" in ${source.file.path}`;
}
