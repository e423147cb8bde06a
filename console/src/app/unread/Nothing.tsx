import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { useUnread } from './useUnread';

/** What is said where nothing is there; only once it is known that nothing is. */
export function Nothing({ children }: { children: ReactNode }) {
  const translate = useTranslate();
  const unread = useUnread();
  if (!unread) return children;
  return <>{translate(unread === 'failed' ? 'fault.unread' : 'ra.page.loading')}</>;
}
