import type { ReactNode } from 'react';
import { useGetList } from 'react-admin';
import { ZoneContext } from './ZoneContext';

/** Shows the times of what belongs to no program in the zone of the first program. */
export function ProgramZone({ children }: { children: ReactNode }) {
  const { data } = useGetList('programs', allPrograms);
  return <ZoneContext zone={data?.[0]?.timezone}>{children}</ZoneContext>;
}

/** The arguments of a list of all programs, the oldest first. All pages use the same, so it is read once. */
export const allPrograms = { pagination: { page: 1, perPage: 1000 }, sort: { field: '_id', order: 'ASC' } } as const;
