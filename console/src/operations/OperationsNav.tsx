import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';

interface OperationsNavProps {
  pages: readonly { name: string; path: string }[];
  present: string;
}

/** The pages of operation beside each other, above each of them. */
export function OperationsNav({ pages, present }: OperationsNavProps) {
  const translate = useTranslate();
  return (
    <Box
      component="nav"
      aria-label={translate('menu.operations')}
      sx={{ display: 'flex', overflowX: 'auto', mb: 2, borderBottom: 1, borderColor: 'divider' }}
    >
      {pages.map(({ name, path }) => (
        <Button
          key={name}
          component={Link}
          to={path}
          color="inherit"
          {...(path === present ? { 'aria-current': 'page' } : {})}
          sx={{
            flexShrink: 0,
            px: 2,
            py: 1.5,
            borderRadius: 0,
            '&[aria-current]': { color: 'primary.main', boxShadow: 'inset 0 -2px 0 currentColor' },
          }}
        >
          {translate(`operations.${name}.title`)}
        </Button>
      ))}
    </Box>
  );
}
