import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { Nothing } from '../../app/unread/Nothing';
import { may } from '../../session/session';
import type { DefinitionName } from '../definitionNames';

/** What a list without records says: what they are for, and how to begin. */
export function EmptyList({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  return (
    <Card sx={{ p: 4, textAlign: 'center' }}>
      <Typography variant="h2" gutterBottom>
        <Nothing>
          {translate('definitions.empty', { name: translate(`resources.${name}.name`, { smart_count: 2 }) })}
        </Nothing>
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {translate(`resources.${name}.text`)}
      </Typography>
      {may(`${name}:create`) ? (
        <Button component={Link} to={`/definitions/${name}/create`} variant="outlined" startIcon={<AddIcon />}>
          {translate('palette.newOne', { name: translate(`resources.${name}.name`, { smart_count: 1 }) })}
        </Button>
      ) : null}
    </Card>
  );
}
