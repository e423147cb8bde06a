import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { paths } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useCallback } from 'react';
import { client } from '../../api/client';
import { useSentences } from '../../i18n/useSentences';
import type { RuleSchema } from '../schema/knownFacts';

type Ok<Path extends keyof paths, Method extends 'get' | 'post'> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** The rules in force, in words. */
export type RuleOverview = Ok<'/api/v1/rules/overview', 'get'>;

/** A rule in force, in words. */
export type ListedRule = RuleOverview['rules'][number];

/** What the tests reach of a rule in force. */
export type CoveredRule = Ok<'/api/v1/rules/coverage', 'get'>['rules'][number];

/** What the service says of changed files. */
export type Preview = Ok<'/api/v1/rules/preview', 'post'>;

/** A fault or warning with its place in a file. */
export type Fault = Preview['errors'][number];

/** What an activity would do. */
export type Tried = Ok<'/api/v1/rules/try', 'post'>;

/** A file of the folder of rules. */
export type StoredFile = Ok<'/api/v1/rules/files', 'get'>;

/** A changed file. */
export interface EditedFile {
  path: string;
  text: string;
}

/** The rules in force. They are many, so the parts of a page, and a page after another, ask once. */
export function useRuleOverview() {
  const query = useSentences();
  return useQuery({
    queryKey: ['rules', 'overview', query],
    queryFn: () => result(client.GET('/api/v1/rules/overview', { params: { query } })),
    staleTime: 10_000,
  });
}

/** What the tests of the rules in force reach. The service runs them once for each version, which may take a while. */
export function useRuleCoverage() {
  return useQuery({
    queryKey: ['rules', 'coverage'],
    queryFn: () => result(client.GET('/api/v1/rules/coverage')),
  });
}

/** The version in force, what waits, and the faults of the last load. */
export function useRuleSetStatus() {
  return useQuery({
    queryKey: ['rules', 'current'],
    queryFn: () => result(client.GET('/api/v1/rulesets/current')),
  });
}

/** The JSON Schema of rule files with the names of the org. */
export function useRuleSchema() {
  return useQuery({
    queryKey: ['rules', 'schema'],
    queryFn: async () => (await result(client.GET('/api/v1/rules/schema'))) as unknown as RuleSchema,
    staleTime: 5 * 60_000,
  });
}

/** A file of the folder of rules; null when there is none. It is read once, so that typing is never replaced. */
export function useRuleFile(path: string | undefined) {
  return useQuery({
    queryKey: ['rules', 'file', path],
    queryFn: () => readRuleFile(path ?? ''),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Reads a file of the folder of rules; null when there is none. */
export async function readRuleFile(path: string): Promise<StoredFile | null> {
  const called = await client.GET('/api/v1/rules/files', { params: { query: { path } } });
  return called.response.status === 404 ? null : result(called);
}

/** Makes every page read the rules again. */
export function useRefreshRules() {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ queryKey: ['rules'] }), [queries]);
}
