import type { Session } from './session';

/** The channel between the tabs of the console: a tab in which one signed in tells the tab that asked for it. */
export const channelName = 'loyalty-console-sign-in';

/** What is sent there. */
export interface TabMessage {
  session: Session;
}
