import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { PageHeading } from '../app/PageHeading';
import { may } from '../session/session';
import { definitionGroups } from './definitionNames';

/** Every kind of definition, by subject, in a sentence. */
export function DefinitionsPage() {
  const translate = useTranslate();
  const groups = Object.entries(definitionGroups).map(([group, names]) => ({
    group,
    shown: names.filter((name) => may(`${name}:read`)),
  }));
  return (
    <>
      <PageHeading title={translate('menu.definitions')} text={translate('definitions.text')} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 320px), 1fr))' }}>
        {groups
          .filter(({ shown }) => shown.length > 0)
          .map(({ group, shown }) => (
            <Card key={group} component="section" aria-labelledby={`group-${group}`} sx={{ pt: 2 }}>
              <Typography variant="h2" id={`group-${group}`} sx={{ px: 2 }}>
                {translate(`definitions.groups.${group}`)}
              </Typography>
              <List>
                {shown.map((name) => (
                  <ListItem key={name} disablePadding>
                    <ListItemButton component={Link} to={`/definitions/${name}`}>
                      <ListItemText
                        primary={translate(`resources.${name}.name`, { smart_count: 2 })}
                        secondary={translate(`resources.${name}.text`)}
                      />
                    </ListItemButton>
                  </ListItem>
                ))}
              </List>
            </Card>
          ))}
      </Box>
    </>
  );
}
