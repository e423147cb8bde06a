import { useQuery } from '@tanstack/react-query';
import type { paths } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';
import { listQuery } from '../ui/listQuery';

/** A version of the rule set. */
export type Version = paths['/api/v1/rulesets']['get']['responses'][200]['content']['application/json'][number];

/** How two versions differ. */
export type VersionDiff =
  paths['/api/v1/rulesets/{version}/diff']['get']['responses'][200]['content']['application/json'];

/** Versions on a page of the list. */
export const versionsPerPage = 25;

/** A page of the versions, the latest first. */
export function useVersions(page: number) {
  return useQuery({
    queryKey: ['rules', 'versions', page],
    queryFn: async () => {
      const skip = (page - 1) * versionsPerPage;
      const [versions, { count }] = await Promise.all([
        result(
          client.GET('/api/v1/rulesets', { params: { query: { sort: ['-version'], limit: versionsPerPage, skip } } }),
        ),
        result(client.GET('/api/v1/rulesets/count')),
      ]);
      return { versions, count };
    },
  });
}

/** The version that was in force before another one; null: there was none. Plans are versions too. */
export function useVersionBefore(version: number, enabled: boolean) {
  return useQuery({
    queryKey: ['rules', 'versions', 'before', version],
    queryFn: async () => {
      const filter = { version: { $lt: version }, programs: { $exists: false } };
      const query = listQuery(filter, { sort: '-version', limit: 1, select: 'version' });
      return (await result(client.GET('/api/v1/rulesets', { params: { query } })))[0]?.version ?? null;
    },
    enabled,
  });
}

/**
 * How the rules of a version differ from those of another; default: of the one in force. Requested when both are known.
 */
export function useVersionDiff(version: number, to: number | undefined, isKnown: boolean) {
  return useQuery({
    queryKey: ['rules', 'diff', version, to],
    queryFn: () =>
      result(
        client.GET('/api/v1/rulesets/{version}/diff', {
          params: { path: { version }, query: to === undefined ? {} : { to } },
        }),
      ),
    enabled: isKnown,
  });
}
