import Box from '@mui/material/Box';
import { useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { type Member, memberName } from '../../ui/memberName';
import { useProgram } from '../../ui/ProgramContext';
import { useMember } from '../../ui/reads';
import { Expiring } from './Expiring';
import { InProgram } from './InProgram';
import { MemberActions } from './MemberActions';
import { MemberTabs } from './MemberTabs';
import { Profile } from './Profile';
import { Purses } from './Purses';
import { Tiers } from './Tiers';

/** The page of a member: who it is, what it has, what it did, and what may happen next. */
export function MemberPage() {
  const { id = '' } = useParams();
  return (
    <InProgram read={useMember(id)}>
      {(member) => (
        <>
          <Heading member={member} />
          <Purses member={member} />
          <Box
            sx={{
              display: 'grid',
              columnGap: 2,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 340px' },
            }}
          >
            <Box sx={{ minWidth: 0 }}>
              <MemberTabs member={member} />
            </Box>
            <Box sx={{ minWidth: 0 }}>
              <Tiers member={member} />
              <Expiring member={member} />
              <Profile member={member} />
            </Box>
          </Box>
        </>
      )}
    </InProgram>
  );
}

function Heading({ member }: { member: Member }) {
  const translate = useTranslate();
  const program = useProgram();
  const zone = program ? translate('members.page.zone', { program: program.name, zone: program.timezone }) : '';
  return (
    <PageHeading
      title={memberName(member)}
      text={[member.loyaltyID, zone].filter(Boolean).join(' · ')}
      actions={<MemberActions member={member} />}
    />
  );
}
