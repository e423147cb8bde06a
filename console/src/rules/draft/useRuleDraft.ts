import { useCallback, useEffect, useMemo, useState } from 'react';
import { type ParsedRule, parsedRule } from './parsedRule';
import { type Change, fileTextOf, type RuleText, withChange } from './ruleText';

/** A rule that is edited: what every view shows, and how each changes it. */
export interface RuleDraft {
  /** The path of its file. */
  path: string;
  /** The hash of the file that was read, or `none` for a new one. */
  hash: string;
  text: RuleText;
  parsed: ParsedRule;
  /** The whole file as it was read, and as it is now. */
  fileBefore: string;
  file: string;
  isChanged: boolean;
  /** Something was typed since the rule was read or begun. */
  isTouched: boolean;
  setText(text: string): void;
  change(change: Change): void;
  undoAll(): void;
  /** Keeps the changes no longer: they are in force. */
  forget(): void;
}

/** What editing begins with. */
export interface DraftStart {
  path: string;
  hash: string;
  text: RuleText;
}

/**
 * Keeps a rule while it is edited, also when its page is left or loaded again in this tab. The text is what counts: the
 * form and the words follow from it.
 * @param name the key of the rule
 */
export function useRuleDraft({ path, hash, text: start }: DraftStart, name: string): RuleDraft {
  // Changes of another state of the file are not taken up: they would undo what others did.
  const place = `loyalty-console-rule ${path} ${name} ${hash}`;
  const [text, setRuleText] = useState<RuleText>(() => ({
    ...start,
    text: sessionStorage.getItem(place) ?? start.text,
  }));
  const setText = useCallback((next: string) => setRuleText((before) => ({ ...before, text: next })), []);
  const change = useCallback(
    (part: Change) => setRuleText((before) => ({ ...before, text: withChange(before.text, part) })),
    [],
  );
  const forget = useCallback(() => sessionStorage.removeItem(place), [place]);
  const undoAll = useCallback(() => setRuleText(start), [start]);
  useEffect(() => {
    if (text.text === start.text) forget();
    else sessionStorage.setItem(place, text.text);
  }, [text.text, start.text, place, forget]);
  const parsed = useMemo(() => parsedRule(text.text), [text.text]);
  const file = useMemo(() => fileTextOf(text), [text]);
  const fileBefore = useMemo(() => (hash === 'none' ? '' : fileTextOf(start)), [hash, start]);
  return {
    path,
    hash,
    text,
    parsed,
    fileBefore,
    file,
    isChanged: file !== fileBefore,
    isTouched: text.text !== start.text,
    setText,
    change,
    undoAll,
    forget,
  };
}
