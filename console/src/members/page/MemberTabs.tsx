import Card from '@mui/material/Card';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { ComponentType } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { may } from '../../session/session';
import type { Member } from '../../ui/memberName';
import { AccountTab } from './AccountTab';
import { ActivitiesTab } from './ActivitiesTab';
import { LotsTab } from './LotsTab';
import { RewardsTab } from './RewardsTab';
import { StatementTab } from './StatementTab';

interface MemberTab {
  name: string;
  permission: string;
  Content: ComponentType<{ member: Member }>;
}

/** The tabs of a member below its purses; the first one is open at first. */
const tabs: readonly MemberTab[] = [
  { name: 'activities', permission: 'activityhistories:read', Content: ActivitiesTab },
  { name: 'statement', permission: 'journal:read', Content: StatementTab },
  { name: 'lots', permission: 'accrualitems:read', Content: LotsTab },
  { name: 'rewards', permission: 'issuedrewards:read', Content: RewardsTab },
  { name: 'account', permission: 'accounts:read', Content: AccountTab },
];

/** The tabs of a member. The open one is in the address. */
export function MemberTabs({ member }: { member: Member }) {
  const translate = useTranslate();
  const [params, setParams] = useSearchParams();
  const offered = tabs.filter(({ permission }) => may(permission));
  const open = offered.find(({ name }) => name === params.get('show')) ?? offered[0];
  if (!open) return null;
  const { name, Content } = open;
  return (
    <Card sx={{ mb: 2, minWidth: 0 }}>
      <Tabs
        value={name}
        onChange={(_event, next: string) => setParams({ show: next })}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={translate('members.page.title')}
        sx={{ borderBottom: 1, borderColor: 'divider' }}
      >
        {offered.map((each) => (
          <Tab
            key={each.name}
            value={each.name}
            id={`tab-${each.name}`}
            aria-controls={each.name === name ? `panel-${each.name}` : undefined}
            label={translate(`members.tabs.${each.name}`)}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`}>
        <Content member={member} />
      </div>
    </Card>
  );
}
