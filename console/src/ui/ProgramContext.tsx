import { createContext, type ReactNode, useContext } from 'react';
import { useGetOne } from 'react-admin';
import { may } from '../session/session';
import { ZoneContext } from '../time/ZoneContext';

/** What pages about a member show of its program. */
export interface ShownProgram {
  id: string;
  name: string;
  code: string;
  timezone: string;
  currencyCode?: string;
}

const Program = createContext<ShownProgram | undefined>(undefined);

/** Shows the times and amounts within as the program has them. */
export function ProgramContext({ id, children }: { id: string | undefined; children: ReactNode }) {
  const enabled = id !== undefined && may('programs:read');
  const { data } = useGetOne<ShownProgram>('programs', { id: id ?? '' }, { enabled });
  return (
    <Program.Provider value={data}>
      <ZoneContext zone={data?.timezone}>{children}</ZoneContext>
    </Program.Provider>
  );
}

/** The program of the page; undefined until it is read, and for users who may not read programs. */
export function useProgram(): ShownProgram | undefined {
  return useContext(Program);
}
