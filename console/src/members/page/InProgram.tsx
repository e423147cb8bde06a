import type { ReactNode } from 'react';
import { Loading } from 'react-admin';
import { ProgramContext } from '../../ui/ProgramContext';
import { GoneMember } from './GoneMember';

interface InProgramProps<Shown> {
  /** The member or activity that the page is about, as far as it is read. */
  read: { data: Shown | undefined; error: unknown };
  children: (shown: Shown) => ReactNode;
}

/** A page about a member or an activity, in the time zone and currency of its program; or why there is none. */
export function InProgram<Shown extends { program?: string }>({
  read: { data, error },
  children,
}: InProgramProps<Shown>) {
  if (error) return <GoneMember error={error} />;
  if (!data) return <Loading />;
  return <ProgramContext id={data.program}>{children(data)}</ProgramContext>;
}
