import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { may } from '../session/session';
import { MessagePage } from './MessagePage';
import { type ConsolePart, parts } from './parts';

/** The part that the console begins with. Who may not see it begins with the first part of the own menu. */
export function FirstPart({ part, children }: { part: ConsolePart; children: ReactNode }) {
  if (part.permissions.some(may)) return children;
  const own = parts.find(({ permissions }) => permissions.some(may));
  return own ? <Navigate to={own.path} replace /> : <MessagePage name="forbidden" />;
}
