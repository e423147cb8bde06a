import { createContext, type ReactNode, useContext } from 'react';

const Zone = createContext('UTC');

/** Shows the times within in the zone of a program. */
export function ZoneContext({ zone, children }: { zone: string | undefined; children: ReactNode }) {
  return <Zone.Provider value={zone ?? 'UTC'}>{children}</Zone.Provider>;
}

/** The zone in which times are shown here. */
export function useZone(): string {
  return useContext(Zone);
}
