import { accounts } from './org/accounts';
import { activityEvents } from './org/activityEvents';
import { archives } from './org/archives';
import { eventNumbers } from './org/eventNumbers';
import { limitUses } from './org/limitUses';
import { orphans } from './org/orphans';
import { pointsEvents } from './org/pointsEvents';
import { recordCounts } from './org/recordCounts';
import { repeatedActivities } from './org/repeatedActivities';
import { submissions } from './org/submissions';
import type { OrgCheck } from './reconciledOrg';

/** All checks of an org, apart from those of its members, each with what it compares. */
export const orgChecks: readonly { of: string; check: OrgCheck }[] = [
  { of: 'members of records', check: orphans },
  { of: 'submissions', check: submissions },
  { of: 'repeated activities', check: repeatedActivities },
  { of: 'limits, budgets and uses', check: limitUses },
  { of: 'numbers of events', check: eventNumbers },
  { of: 'events of points', check: pointsEvents },
  { of: 'events of activities', check: activityEvents },
  { of: 'accounts', check: accounts },
  { of: 'counts of records', check: recordCounts },
  { of: 'the archive', check: archives },
];
