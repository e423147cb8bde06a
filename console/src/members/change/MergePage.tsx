import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { MemberPicker } from '../../ui/MemberPicker';
import { type Member, memberName } from '../../ui/memberName';
import { useMember } from '../../ui/reads';
import { InProgram } from '../page/InProgram';
import { MergePreview } from './MergePreview';
import { useChange } from './useChange';
import { useRequestKey } from './useRequestKey';

/** Merges another member into this one, after showing what this one will have. */
export default function MergePage() {
  const { id = '' } = useParams();
  return <InProgram read={useMember(id)}>{(member) => <Merge survivor={member} />}</InProgram>;
}

function Merge({ survivor }: { survivor: Member }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  const [other, setOther] = useState<Member | null>(null);
  const merge = useChange(
    (body: { memberIds: string[] }) => {
      const params = { path: { id: survivor._id }, header: { 'Idempotency-Key': keyOf(body) } };
      return result(client.POST('/api/v1/members/{id}/merge', { body, params }));
    },
    { done: 'members.merge.done', onDone: () => void navigate(`/members/${survivor._id}`) },
  );
  return (
    <>
      <PageHeading
        title={translate('members.merge.title', { name: memberName(survivor) })}
        text={translate('members.merge.text', { name: memberName(survivor) })}
      />
      <Card sx={{ p: 2, maxWidth: 900 }}>
        <Stack sx={{ gap: 2 }}>
          <MemberPicker
            label={translate('members.merge.other')}
            except={[survivor._id]}
            program={survivor.program}
            value={other}
            onPick={setOther}
          />
          {other ? <MergePreview survivor={survivor} other={other} /> : null}
          {merge.error ? <Alert severity="error">{faultText(merge.error, translate)}</Alert> : null}
          {other ? (
            <Button
              variant="contained"
              color="error"
              disabled={merge.isPending}
              onClick={() => merge.mutate({ memberIds: [other._id] })}
              sx={{ alignSelf: 'flex-start' }}
            >
              {translate('members.merge.submit', { name: memberName(other) })}
            </Button>
          ) : null}
        </Stack>
      </Card>
    </>
  );
}
