import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import {
  DataTable,
  type DataTableProps,
  ListBase,
  type ListBaseProps,
  Loading,
  Pagination,
  ResourceContextProvider,
} from 'react-admin';
import { useDocument } from '../schema/document';
import { shownFields } from '../schema/shape';
import { FilterBar } from './FilterBar';
import { NoRecords } from './NoRecords';

interface FilteredListProps
  extends Pick<ListBaseProps, 'filter' | 'filterDefaultValues' | 'sort'>,
    Pick<DataTableProps, 'empty' | 'rowClick'> {
  resource: string;
  /** The field in which the box searches as one types. */
  search: string;
  /** Tells whether a field has a filter. */
  hasFilter(name: string): boolean;
  /** What is shown between the filters and the table. */
  above?: ReactNode;
  /** The columns of the table. */
  children: ReactNode;
}

/** Records that the service keeps of what continued, with filters in the address. They are read, not changed. */
export function FilteredList({ resource, search, hasFilter, above, children, ...props }: FilteredListProps) {
  const { empty, rowClick = false, ...list } = props;
  const document = useDocument();
  if (!document) return <Loading />;
  const fields = shownFields(document, resource).filter(({ name }) => hasFilter(name));
  return (
    <ResourceContextProvider value={resource}>
      <ListBase resource={resource} perPage={50} {...list} disableAuthentication>
        <FilterBar search={search} fields={fields} />
        {above}
        <Card>
          <DataTable
            bulkActionButtons={false}
            rowClick={rowClick}
            empty={<NoRecords>{empty}</NoRecords>}
            sx={{ '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
          >
            {children}
          </DataTable>
          <Pagination rowsPerPageOptions={[50, 200, 1000]} />
        </Card>
      </ListBase>
    </ResourceContextProvider>
  );
}
