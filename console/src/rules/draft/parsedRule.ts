import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** A rule as the form shows it: any JSON object. */
export type RuleFields = Readonly<Record<string, unknown>>;

/** The rule of a JSON text, or what is wrong with the text. */
export type ParsedRule = { rule: RuleFields } | { fault: string; offset: number };

/** Reads the text of a rule. */
export function parsedRule(text: string): ParsedRule {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first) return { fault: printParseErrorCode(first.error), offset: first.offset };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'NoObject', offset: 0 };
  return { rule: value as RuleFields };
}
