import { malformed } from '../../common/errors';
import { parseInstant } from '../../schema/instant';
import type { Outcome } from '../state/work';

const sections = ['log', 'errors', 'data'] as const;

/** The sections of a result that an answer shows. */
export type Sections = ReadonlySet<(typeof sections)[number]>;

/** The query arguments of posting an activity (SPEC endpoint 6, docs/design/activities.md). */
export interface PostOptions {
  sections: Sections;
  /** False: evaluate and answer, write nothing. */
  persist: boolean;
  isAsync: boolean;
  /** Answer every rule of the activity's type with its reason. */
  explain: boolean;
  /** With `persist=false` only: the moment that counts as now. */
  asOf: Date | undefined;
}

/**
 * Reads the query arguments of a post or a cancel.
 * @throws ServiceError 1210 naming the argument
 */
export function parsePostOptions(query: Record<string, string>): PostOptions {
  const persist = flag(query, 'persist', true);
  const isAsync = flag(query, 'async', false);
  if (isAsync && !persist) throw malformed('async=true and persist=false exclude each other');
  if (query.asOf !== undefined && persist) throw malformed('asOf needs persist=false');
  return {
    sections: parseSections(query.filter),
    persist,
    isAsync,
    explain: flag(query, 'explain', false),
    asOf: parseAsOf(query.asOf),
  };
}

function flag(query: Record<string, string>, name: string, fallback: boolean): boolean {
  const value = query[name];
  if (value === undefined) return fallback;
  if (value === 'true' || value === 'false') return value === 'true';
  throw malformed(`${name} must be true or false`);
}

function parseSections(filter: string | undefined): Sections {
  if (filter === undefined || filter === 'all') return new Set(sections);
  const wanted = filter.split(',').map((section) => section.trim());
  const known = sections.filter((section) => wanted.includes(section));
  if (known.length !== new Set(wanted).size) throw malformed('filter must be all, or some of log, errors, data');
  return new Set(known);
}

function parseAsOf(asOf: string | undefined): Date | undefined {
  if (asOf === undefined) return undefined;
  const date = parseInstant(asOf);
  if (!date) throw malformed('asOf must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z');
  return date;
}

/** The result with only the sections asked for. */
export function shownResult(result: Outcome['result'], shown: Sections): Partial<Outcome['result']> {
  return Object.fromEntries(Object.entries(result).filter(([section]) => shown.has(section as 'log')));
}
