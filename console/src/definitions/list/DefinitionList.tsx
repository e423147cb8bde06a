import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { DataTable, ListBase, Loading, Pagination, useListContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { Fault } from '../../app/unread/Fault';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import type { DefinitionName } from '../definitionNames';
import { definitionViews } from '../definitionViews';
import { useDocument } from '../schema/document';
import { type Field, shownFields } from '../schema/shape';
import { EmptyList } from './EmptyList';
import { FilterBar } from './FilterBar';
import { NoRecords } from './NoRecords';
import { Value } from './Value';

/** The list of a kind of definition, with filters in the address. */
export function DefinitionList({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  const document = useDocument();
  const { order = '_id' } = definitionViews[name];
  const several = translate(`resources.${name}.name`, { smart_count: 2 });
  return (
    <ListBase resource={name} perPage={25} sort={{ field: order, order: 'ASC' }} disableAuthentication>
      <PageHeading title={several} text={translate(`resources.${name}.text`)} actions={<NewButton name={name} />} />
      {document ? <Records name={name} fields={shownFields(document, name)} /> : <Loading />}
    </ListBase>
  );
}

/** Leads to the form of a new record, for users who may make one. */
function NewButton({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  if (!may(`${name}:create`)) return null;
  return (
    <Button component={Link} to={`/definitions/${name}/create`} variant="contained" startIcon={<AddIcon />}>
      {translate('definitions.new')}
    </Button>
  );
}

function Records({ name, fields }: { name: DefinitionName; fields: readonly Field[] }) {
  const label = useFieldLabel();
  const _translate = useTranslate();
  const { error, total, filterValues, isPending } = useListContext();
  const isFiltered = Object.keys(filterValues ?? {}).length > 0;
  if (total === 0 && !isFiltered && !isPending && !error) return <EmptyList name={name} />;
  const shown = [definitionViews[name].title[0], ...definitionViews[name].columns];
  const columns = shown.flatMap((column) => fields.find((field) => field.name === column) ?? []);
  return (
    <>
      <FilterBar search={definitionViews[name].title[0]} fields={fields} />
      <Card>
        <Fault error={error} />
        <DataTable
          bulkActionButtons={false}
          empty={<NoRecords />}
          rowClick={(id) => `/definitions/${name}/${id}`}
          sx={{ overflowX: 'auto', '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
        >
          {columns.map((field) => (
            <DataTable.Col
              key={field.name}
              source={field.name}
              label={label(field)}
              disableSort={field.shape.kind === 'list' || field.shape.kind === 'object'}
            >
              <Value field={field} isTitle={field.name === shown[0]} to={`/definitions/${name}`} />
            </DataTable.Col>
          ))}
        </DataTable>
        <Pagination rowsPerPageOptions={[25, 100, 500]} />
      </Card>
    </>
  );
}
