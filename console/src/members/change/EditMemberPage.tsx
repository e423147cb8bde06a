import { useQueryClient } from '@tanstack/react-query';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { EditBase, Loading, useEditContext, useNotify, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { ConflictDialog } from '../../definitions/form/ConflictDialog';
import { useDocument } from '../../definitions/schema/document';
import { updateFields } from '../../definitions/schema/shape';
import { memberName } from '../../ui/memberName';
import { ProgramContext } from '../../ui/ProgramContext';
import { memberDataKey } from '../../ui/reads';
import { GoneMember } from '../page/GoneMember';
import { MemberForm, memberFields } from './MemberForm';

/** The page to change who a member is. */
export default function EditMemberPage() {
  const { id = '' } = useParams();
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const saved = () => {
    notify('ra.notification.updated', { type: 'success', messageArgs: { smart_count: 1 } });
    void queries.invalidateQueries({ queryKey: [memberDataKey] });
    void navigate(`/members/${id}`);
  };
  const [isConflict, setConflict] = useState(false);
  const tell = (error: unknown) => {
    if (error instanceof LoyaltyError && error.status === 412) setConflict(true);
    else notify(faultText(error, translate), { type: 'error', autoHideDuration: 10_000 });
  };
  return (
    <EditBase
      resource="members"
      id={id}
      disableAuthentication
      mutationMode="pessimistic"
      redirect={false}
      queryOptions={{ onError: () => undefined }}
      mutationOptions={{ onSuccess: saved, onError: tell }}
    >
      <OneMember isConflict={isConflict} onConflictClosed={() => setConflict(false)} onConflictSaved={saved} />
    </EditBase>
  );
}

interface OneMemberProps {
  /** Somebody else changed the member in the meantime. */
  isConflict: boolean;
  onConflictClosed(): void;
  onConflictSaved(): void;
}

function OneMember({ isConflict, onConflictClosed, onConflictSaved }: OneMemberProps) {
  const translate = useTranslate();
  const document = useDocument();
  const { record, error } = useEditContext();
  if (error) return <GoneMember error={error} />;
  if (!document || !record) return <Loading />;
  const fields = updateFields(document, 'members');
  return (
    <ProgramContext id={String(record.program)}>
      <PageHeading title={translate('members.edit.title', { name: memberName(record) })} />
      <MemberForm fields={fields}>
        {isConflict ? (
          <ConflictDialog
            resource="members"
            fields={memberFields(fields)}
            onClose={onConflictClosed}
            onSaved={onConflictSaved}
          />
        ) : null}
      </MemberForm>
    </ProgramContext>
  );
}
