import type { ReactNode } from 'react';
import { ZoneContext } from '../../time/ZoneContext';
import { usePrograms } from '../api/programs';

/** Shows times in the zone of a program, or of the first one when none is named. */
export function FirstZone({ program, children }: { program?: string | undefined; children: ReactNode }) {
  const { data = [] } = usePrograms();
  const own = data.find(({ code }) => code === program) ?? data[0];
  return <ZoneContext zone={own?.timezone}>{children}</ZoneContext>;
}
