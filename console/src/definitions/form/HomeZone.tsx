import type { ReactNode } from 'react';
import { useGetList, useRecordContext } from 'react-admin';
import { allPrograms } from '../../time/ProgramZone';
import { ZoneContext } from '../../time/ZoneContext';

/**
 * Shows the times of a record in the zone of its program. Records without a program use the zone of the first program.
 */
export function HomeZone({ children }: { children: ReactNode }) {
  const record = useRecordContext();
  const programs = useGetList('programs', allPrograms);
  const own = programs.data?.find(({ id }) => id === record?.program) ?? programs.data?.[0];
  const zone = typeof record?.timezone === 'string' ? record.timezone : own?.timezone;
  return <ZoneContext zone={zone}>{children}</ZoneContext>;
}
