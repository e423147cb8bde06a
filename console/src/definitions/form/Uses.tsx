import Card from '@mui/material/Card';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { useDataProvider, useLocale, useRecordContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { may } from '../../session/session';
import { type DefinitionName, definitionNames } from '../definitionNames';
import type { ApiDocument } from '../schema/document';
import { shownFields } from '../schema/shape';

interface UsesProps {
  name: DefinitionName;
  document: ApiDocument;
}

/** What refers to the record: how many of each kind of definition, with a link to them. */
export function Uses({ name, document }: UsesProps) {
  const translate = useTranslate();
  const locale = useLocale();
  const record = useRecordContext();
  const dataProvider = useDataProvider();
  const id = String(record?.id);
  const places = placesOf(document, name);
  const counts = useQueries({
    queries: places.map(({ resource, field }) => ({
      queryKey: ['uses', resource, field, id],
      queryFn: () => dataProvider.getList(resource, { ...onlyCount, filter: { [field]: id } }),
    })),
  });
  const used = places.flatMap((place, index) => {
    const total = counts[index]?.data?.total ?? 0;
    return total > 0 ? [{ ...place, total }] : [];
  });
  if (used.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="uses" sx={{ mt: 2, pt: 2, maxWidth: 800 }}>
      <Typography variant="h2" id="uses" sx={{ px: 2 }}>
        {translate('definitions.uses')}
      </Typography>
      <List>
        {used.map(({ resource, field, total }) => (
          <ListItem key={`${resource}.${field}`} disablePadding>
            <ListItemButton component={Link} to={`/definitions/${resource}?${filterBy(field, id)}`}>
              <ListItemText
                primary={`${total.toLocaleString(locale)} ${translate(`resources.${resource}.name`, { smart_count: total })}`}
              />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </Card>
  );
}

const onlyCount = { pagination: { page: 1, perPage: 1 }, sort: { field: '_id', order: 'ASC' } } as const;

const filterBy = (field: string, id: string) => new URLSearchParams({ filter: JSON.stringify({ [field]: id }) });

/** The fields of definitions that refer to records of a kind, as far as the user may read them. */
function placesOf(document: ApiDocument, name: DefinitionName): { resource: DefinitionName; field: string }[] {
  return definitionNames
    .filter((resource) => may(`${resource}:read`))
    .flatMap((resource) =>
      shownFields(document, resource)
        .filter(({ shape }) => shape.kind === 'reference' && shape.to === name)
        .filter(({ name: field }) => field !== 'createdBy' && field !== 'updatedBy')
        .map((field) => ({ resource, field: field.name })),
    );
}
