import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { EditBase, Form, Loading, useEditContext, useNotify, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { MessagePage } from '../../app/MessagePage';
import { PageHeading } from '../../app/PageHeading';
import { may } from '../../session/session';
import type { DefinitionName } from '../definitionNames';
import { titleOf } from '../definitionViews';
import { FieldInputs } from '../inputs/FieldInputs';
import { ReferenceName } from '../ReferenceName';
import { type ApiDocument, useDocument } from '../schema/document';
import { type Field, shownFields, updateFields } from '../schema/shape';
import { ConflictDialog } from './ConflictDialog';
import { FormBar } from './FormBar';
import { HomeZone } from './HomeZone';
import { PausedAlert } from './PausedAlert';
import { RecordActions } from './RecordActions';
import { RecordFacts } from './RecordFacts';
import { SegmentMembers } from './SegmentMembers';
import { Uses } from './Uses';

/** The page of one record: its form, what differs from what is stored, what uses it, and who changed it. */
export default function EditPage({ name }: { name: DefinitionName }) {
  const { id = '' } = useParams();
  const translate = useTranslate();
  const notify = useNotify();
  const [isConflict, setConflict] = useState(false);
  const saved = () => notify('ra.notification.updated', { type: 'success', messageArgs: { smart_count: 1 } });
  const conflictSaved = () => {
    setConflict(false);
    saved();
  };
  return (
    <EditBase
      resource={name}
      id={id}
      disableAuthentication
      mutationMode="pessimistic"
      redirect={false}
      queryOptions={{ onError: () => undefined }}
      mutationOptions={{
        onSuccess: saved,
        onError: (error: unknown) => {
          if (error instanceof LoyaltyError && error.status === 412) setConflict(true);
          else notify(faultText(error, translate), { type: 'error', autoHideDuration: 10_000 });
        },
      }}
    >
      <OneRecord
        name={name}
        isConflict={isConflict}
        onConflictClosed={() => setConflict(false)}
        onConflictSaved={conflictSaved}
      />
    </EditBase>
  );
}

interface OneRecordProps {
  name: DefinitionName;
  /** Somebody else changed the record in the meantime. */
  isConflict: boolean;
  onConflictClosed(): void;
  onConflictSaved(): void;
}

function OneRecord({ name, isConflict, onConflictClosed, onConflictSaved }: OneRecordProps) {
  const document = useDocument();
  const { record, error, isPending } = useEditContext();
  if (error)
    return <MessagePage name={error instanceof LoyaltyError && error.status === 404 ? 'notFound' : 'failed'} />;
  if (!document || isPending || !record) return <Loading />;
  const mayChange = may(`${name}:update`);
  const fields = mayChange ? updateFields(document, name) : readFields(document, name);
  return (
    <HomeZone>
      <PageHeading title={titleOf(name, record)} text={<Kind name={name} />} actions={<RecordActions name={name} />} />
      <PausedAlert />
      <Card sx={{ p: 2, maxWidth: 800 }}>
        <Form warnWhenUnsavedChanges>
          <fieldset disabled={!mayChange} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <FieldInputs fields={fields} />
          </fieldset>
          <FormBar name={name} fields={fields} />
          {isConflict ? (
            <ConflictDialog resource={name} fields={fields} onClose={onConflictClosed} onSaved={onConflictSaved} />
          ) : null}
        </Form>
      </Card>
      <Uses name={name} document={document} />
      {name === 'segments' && may('members:read') ? (
        <Box sx={{ mt: 2, maxWidth: 800 }}>
          <SegmentMembers />
        </Box>
      ) : null}
      <RecordFacts />
    </HomeZone>
  );
}

/** The fields for a user who may only read. Why a webhook is paused stands above them. */
function readFields(document: ApiDocument, name: DefinitionName): readonly Field[] {
  return shownFields(document, name).filter((field) => field.name !== 'pausedBecause');
}

/** The kind of the record, and the program that it belongs to. */
function Kind({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  const { record } = useEditContext();
  const kind = translate(`resources.${name}.name`, { smart_count: 1 });
  if (typeof record?.program !== 'string') return <>{kind}</>;
  return (
    <>
      {kind} · <ReferenceName to="programs" id={record.program} />
    </>
  );
}
