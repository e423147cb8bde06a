import Card from '@mui/material/Card';
import { DataTable, ListBase, Loading, Pagination, ResourceContextProvider, useTranslate } from 'react-admin';
import { PageHeading } from '../app/PageHeading';
import { FilterBar } from '../definitions/list/FilterBar';
import { useDocument } from '../definitions/schema/document';
import { shownFields } from '../definitions/schema/shape';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { Action, What, When, Who } from './cells';

/** Fields by which nobody looks for an entry. */
const hidden = new Set(['_id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'hash', 'before', 'after']);

/** The entries of the audit log, the latest first, with filters in the address. */
export function AuditList() {
  const translate = useTranslate();
  const label = useFieldLabel();
  const document = useDocument();
  const fields = document ? shownFields(document, 'auditlog').filter(({ name }) => !hidden.has(name)) : [];
  return (
    <ResourceContextProvider value="auditlog">
      <ListBase resource="auditlog" perPage={50} sort={{ field: 'seq', order: 'DESC' }} disableAuthentication>
        <PageHeading title={translate('menu.audit')} text={translate('audit.text')} />
        {document ? (
          <>
            <FilterBar search="username" fields={fields} />
            <Card>
              <DataTable
                bulkActionButtons={false}
                rowClick={(id) => `/audit/${id}`}
                sx={{ '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
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
              </DataTable>
              <Pagination rowsPerPageOptions={[50, 200, 1000]} />
            </Card>
          </>
        ) : (
          <Loading />
        )}
      </ListBase>
    </ResourceContextProvider>
  );
}
