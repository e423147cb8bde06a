import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { type EditedFile, readRuleFile, type StoredFile } from '../api/ruleApi';

/** A CSV file beside a rule: as it was read, and as it is now. */
export interface Table {
  path: string;
  hash: string;
  text: string;
}

/** A CSV file that is new, and the file that declares it as a lookup table, if it is one. */
export interface AddedTable extends EditedFile {
  declaration?: EditedFile;
}

/** The tables of a program, and those of them that were changed here. */
export interface Tables {
  all: readonly Table[];
  changed: readonly Table[];
  isPending: boolean;
  /** Opens a table that was not read yet. */
  open(path: string): void;
  /** The paths of all tables, read or not. */
  paths: readonly string[];
  setText(path: string, text: string): void;
  /** The paths of all other files of the program, also of rules. */
  others: readonly string[];
  /** Those that are new: they are published with the rule. */
  added: readonly AddedTable[];
  add(table: AddedTable): void;
  leaveOut(path: string): void;
  /** Forgets what was changed and added here. */
  undoAll(): void;
  /** What was added is published: it is read as every other table now. */
  forgetAdded(): void;
}

/** Keeps the CSV files of a program while they are edited. Each is read when it is opened. */
export function useTables(stored: StoredFile | undefined): Tables {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [added, setAdded] = useState<readonly AddedTable[]>([]);
  const paths = useMemo(() => (stored?.others ?? []).filter((path) => path.endsWith('.csv')), [stored]);
  const read = useQueries({
    queries: opened.map((path) => ({
      queryKey: ['rules', 'file', path],
      queryFn: () => readRuleFile(path),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const files = read.flatMap(({ data }) => (data ? [data] : []));
  const newOnes = added.map(({ path, text }) => ({ path, hash: 'none', text: texts[path] ?? text }));
  const declarations = added.flatMap(({ declaration }) => (declaration ? [{ ...declaration, hash: 'none' }] : []));
  const present = files.map(({ path, hash, text }) => ({ path, hash, text: texts[path] ?? text }));
  const changed = files.flatMap(({ path, hash, text }) => {
    const now = texts[path];
    return now === undefined || now === text ? [] : [{ path, hash, text: now }];
  });
  return {
    all: [...present, ...newOnes],
    changed: useStable([...changed, ...newOnes, ...declarations]),
    isPending: read.some(({ isPending }) => isPending),
    paths: useMemo(() => [...paths, ...added.map(({ path }) => path)], [paths, added]),
    others: useMemo(() => [...(stored?.others ?? []), ...added.flatMap(pathsOf)], [stored, added]),
    added,
    add: useCallback((table) => setAdded((before) => [...before, table]), []),
    leaveOut: useCallback((path) => setAdded((before) => before.filter((each) => each.path !== path)), []),
    undoAll: useCallback(() => {
      setTexts({});
      setAdded([]);
    }, []),
    forgetAdded: useCallback(() => setAdded([]), []),
    open: useCallback((path) => setOpened((before) => (before.includes(path) ? before : [...before, path])), []),
    setText: useCallback((path, text) => setTexts((before) => ({ ...before, [path]: text })), []),
  };
}

function pathsOf({ path, declaration }: AddedTable): string[] {
  return declaration ? [path, declaration.path] : [path];
}

/** The same list as before as long as nothing in it differs. */
function useStable(tables: readonly Table[]): readonly Table[] {
  const text = JSON.stringify(tables);
  return useMemo(() => JSON.parse(text) as Table[], [text]);
}
