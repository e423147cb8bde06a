import { DataTable, useTranslate } from 'react-admin';
import { PageHeading } from '../app/PageHeading';
import { FilteredList } from '../definitions/list/FilteredList';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { Action, What, When, Who } from './cells';

/** Fields by which nobody looks for an entry. */
const hidden = new Set(['_id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'hash', 'before', 'after']);

/** The entries of the audit log, the latest first, with filters in the address. */
export function AuditList() {
  const translate = useTranslate();
  const label = useFieldLabel();
  return (
    <>
      <PageHeading title={translate('menu.audit')} text={translate('audit.text')} />
      <FilteredList
        resource="auditlog"
        search="username"
        hasFilter={(name) => !hidden.has(name)}
        sort={{ field: 'seq', order: 'DESC' }}
        rowClick={(id) => `/audit/${id}`}
      >
        <DataTable.Col source="seq" label={label('at')}>
          <When />
        </DataTable.Col>
        <DataTable.Col source="username" label={label('username')}>
          <Who />
        </DataTable.Col>
        <DataTable.Col source="action" label={label('action')}>
          <Action />
        </DataTable.Col>
        <DataTable.Col source="resource" label={label('resource')}>
          <What />
        </DataTable.Col>
      </FilteredList>
    </>
  );
}
