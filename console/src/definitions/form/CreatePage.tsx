import Card from '@mui/material/Card';
import { useState } from 'react';
import { CreateBase, Form, Loading, useNotify, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { serviceZone } from '../../time/serviceZone';
import type { DefinitionName } from '../definitionNames';
import { FieldInputs } from '../inputs/FieldInputs';
import { initialOf } from '../inputs/initialOf';
import { useDocument } from '../schema/document';
import { createFields } from '../schema/shape';
import { FormBar } from './FormBar';
import { HomeZone } from './HomeZone';
import { SecretDialog } from './SecretDialog';

/** The page to make a new record. */
export default function CreatePage({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  const notify = useNotify();
  const document = useDocument();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made>();
  const one = translate(`resources.${name}.name`, { smart_count: 1 });
  const open = ({ id }: Made) => {
    notify('ra.notification.created', { type: 'success' });
    void navigate(`/definitions/${name}/${id}`);
  };
  const fields = document ? createFields(document, name) : [];
  return (
    <CreateBase
      resource={name}
      disableAuthentication
      redirect={false}
      mutationOptions={{
        onSuccess: (record: Made) => {
          if (secretOf(record) === undefined) open(record);
          else setMade(record);
        },
        onError: (error: unknown) => notify(faultText(error, translate), { type: 'error', autoHideDuration: 10_000 }),
      }}
    >
      <PageHeading title={translate('palette.newOne', { name: one })} text={translate(`resources.${name}.text`)} />
      {document ? (
        <Card sx={{ p: 2, maxWidth: 800 }}>
          <HomeZone>
            <Form defaultValues={{ ...initialOf(fields), ...ownZone(name) }} warnWhenUnsavedChanges>
              <FieldInputs fields={fields} />
              <FormBar name={name} fields={fields} />
            </Form>
          </HomeZone>
        </Card>
      ) : (
        <Loading />
      )}
      {made ? <SecretDialog secret={secretOf(made)} onClose={() => open(made)} /> : null}
    </CreateBase>
  );
}

/** A program begins in the time zone of who makes it. */
function ownZone(name: DefinitionName): { timezone?: string } {
  return name === 'programs' ? { timezone: serviceZone(Intl.DateTimeFormat().resolvedOptions().timeZone) } : {};
}

/** What the service answers to a creation. */
interface Made {
  id: string;
  key?: unknown;
  secret?: unknown;
}

/** What the service shows only in this answer: the text of an API key, or the secret of a webhook. */
function secretOf({ key, secret }: Made): string | undefined {
  return [key, secret].find((each) => typeof each === 'string');
}
