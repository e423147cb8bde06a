import type { ReactNode } from 'react';
import { Layout } from 'react-admin';
import { SignInAgain } from '../session/SignInAgain';
import { CommandPalette } from './CommandPalette';
import { ConsoleBar } from './ConsoleBar';
import { ConsoleMenu } from './ConsoleMenu';

/** The frame of every page: bar, menu, command palette, and the dialog to sign in again. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Layout appBar={ConsoleBar} menu={ConsoleMenu} appBarAlwaysOn sx={narrow}>
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
