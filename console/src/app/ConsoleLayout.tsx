import type { ReactNode } from 'react';
import { Layout } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { isGuided } from '../overview/guided';
import { SignInAgain } from '../session/SignInAgain';
import { CommandPalette } from './CommandPalette';
import { ConsoleBar } from './ConsoleBar';
import { ConsoleMenu } from './ConsoleMenu';
import { lazyPage } from './lazyPage';
import { Unreached } from './unread/Unreached';

const GuideBar = lazyPage(() => import('../overview/GuideBar'), null);

/** The frame of every page: bar, menu, command palette, and the dialog to sign in again. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  // The overview shows the whole guide.
  const { pathname } = useLocation();
  const isOnTheWay = pathname !== '/' && isGuided();
  return (
    <Layout appBar={ConsoleBar} menu={ConsoleMenu} appBarAlwaysOn sx={narrow}>
      {isOnTheWay ? <GuideBar /> : null}
      <Unreached />
      {children}
      <CommandPalette />
      <SignInAgain />
    </Layout>
  );
}

/** What is wider than the window scrolls by itself; the page never does. */
const narrow = {
  minWidth: 0,
  '& .RaLayout-appFrame, & .RaLayout-contentWithSidebar, & .RaLayout-content': { minWidth: 0 },
  '& .RaLayout-content': { px: { xs: 1.5, sm: 3 }, pb: 4 },
};
