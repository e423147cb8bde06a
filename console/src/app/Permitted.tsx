import type { ReactNode } from 'react';
import { may } from '../session/session';
import { MessagePage } from './MessagePage';

/** Shows what is for users with one of these permissions; others read that it is not for them. */
export function Permitted({ anyOf, children }: { anyOf: readonly string[]; children: ReactNode }) {
  return anyOf.some(may) ? children : <MessagePage name="forbidden" />;
}
