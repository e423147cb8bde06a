import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { allPrograms } from '../time/ProgramZone';
import { setGuided } from './guided';
import { useFirstSteps } from './useFirstSteps';

/** Leads who follows the guide from each page to the next step, until there are points. */
export default function GuideBar() {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const queries = useQueryClient();
  const programs = useGetList('programs', allPrograms);
  const steps = useFirstSteps((programs.total ?? 0) > 0);
  const [isClosed, setClosed] = useState(false);
  // What was made on the page before counts.
  useEffect(() => {
    if (pathname) void queries.invalidateQueries({ queryKey: ['hasAny'] });
  }, [pathname, queries]);
  if (isClosed || !steps || programs.isPending) return null;
  const at = steps.findIndex(({ isDone }) => !isDone);
  const { name, to } = steps[at] ?? { name: 'done' as const, to: '/' };
  const close = () => {
    setGuided(false);
    setClosed(true);
  };
  return (
    <Alert
      severity={name === 'done' ? 'success' : 'info'}
      onClose={close}
      closeText={translate('overview.first.close')}
      sx={{ mt: 2, alignItems: 'center' }}
    >
      {name === 'done' ? '' : `${translate('overview.first.step', { at: at + 1, of: steps.length })}: `}
      {translate(`overview.first.${name}.text`)}
      {pathname === to ? null : (
        <Button component={Link} to={to} size="small" onClick={name === 'done' ? close : undefined} sx={{ ml: 1 }}>
          {translate(`overview.first.${name}.go`)}
        </Button>
      )}
    </Alert>
  );
}
