import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { readRuleFile, type StoredFile } from '../api/ruleApi';

/** A CSV file beside a rule: as it was read, and as it is now. */
export interface Table {
  path: string;
  hash: string;
  text: string;
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
}

/** Keeps the CSV files of a program while they are edited. Each is read when it is opened. */
export function useTables(stored: StoredFile | undefined): Tables {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const paths = useMemo(() => (stored?.others ?? []).filter((path) => path.endsWith('.csv')), [stored]);
  const read = useQueries({
    queries: opened.map((path) => ({
      queryKey: ['rules', 'file', path],
      queryFn: () => readRuleFile(path),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const files = read.flatMap(({ data }) => (data ? [data] : []));
  const all = files.map(({ path, hash, text }) => ({ path, hash, text: texts[path] ?? text }));
  const changed = files.flatMap(({ path, hash, text }) => {
    const now = texts[path];
    return now === undefined || now === text ? [] : [{ path, hash, text: now }];
  });
  return {
    all,
    changed: useStable(changed),
    isPending: read.some(({ isPending }) => isPending),
    paths,
    open: useCallback((path) => setOpened((before) => (before.includes(path) ? before : [...before, path])), []),
    setText: useCallback((path, text) => setTexts((before) => ({ ...before, [path]: text })), []),
  };
}

/** The same list as before as long as nothing in it differs. */
function useStable(tables: readonly Table[]): readonly Table[] {
  const text = JSON.stringify(tables);
  return useMemo(() => JSON.parse(text) as Table[], [text]);
}
