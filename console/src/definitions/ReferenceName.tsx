import MuiLink from '@mui/material/Link';
import { useGetManyAggregate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { DefinitionName } from './definitionNames';
import { titleOf } from './definitionViews';

/** The name of a record that another refers to, with a link to its page. All names of a page are read at once. */
export function ReferenceName({ to, id }: { to: DefinitionName; id: string }) {
  const { data } = useGetManyAggregate(to, { ids: [id] });
  const [record] = data ?? [];
  return (
    <MuiLink component={Link} to={`/definitions/${to}/${id}`} onClick={(event) => event.stopPropagation()}>
      {record ? titleOf(to, record) : id}
    </MuiLink>
  );
}
