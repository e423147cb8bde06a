import type { Session } from './session';

/** The channel between the tabs of the console: a tab in which the user signed in notifies the tab that began it. */
export const channelName = 'loyalty-console-sign-in';

/** What is sent there. */
export interface TabMessage {
  session: Session;
}
