import { useQueryClient } from '@tanstack/react-query';
import { CreateBase, Loading, useNotify, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { useDocument } from '../../definitions/schema/document';
import { createFields } from '../../definitions/schema/shape';
import { memberDataKey } from '../../ui/reads';
import { MemberForm } from './MemberForm';

/** The page of a new member. */
export default function CreateMemberPage() {
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const document = useDocument();
  const open = ({ id }: { id: string }) => {
    notify('ra.notification.created', { type: 'success' });
    void queries.invalidateQueries({ queryKey: [memberDataKey] });
    void navigate(`/members/${id}`);
  };
  const tell = (error: unknown) => notify(faultText(error, translate), { type: 'error', autoHideDuration: 10_000 });
  return (
    <CreateBase
      resource="members"
      disableAuthentication
      redirect={false}
      mutationOptions={{ onSuccess: open, onError: tell }}
    >
      <PageHeading title={translate('members.create.title')} text={translate('members.create.text')} />
      {document ? <MemberForm fields={createFields(document, 'members')} /> : <Loading />}
    </CreateBase>
  );
}
