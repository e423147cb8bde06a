import LinearProgress from '@mui/material/LinearProgress';
import { useLocale, useTranslate } from 'react-admin';
import { useFailureText } from '../i18n/useFailureText';
import { isOpen, type Simulation } from './simulationApi';

/** How far a simulation is. */
export function Progress({ simulation }: { simulation: Pick<Simulation, 'status' | 'progress' | 'error' | 'fault'> }) {
  const translate = useTranslate();
  const locale = useLocale();
  const failureText = useFailureText();
  const { status, progress, error, fault } = simulation;
  const statusText = translate(`simulations.status.${status}`);
  if (!isOpen(simulation)) {
    return <>{error === undefined ? statusText : `${statusText}: ${failureText({ error, fault })}`}</>;
  }
  const { read, total } = progress;
  const percent = total === 0 ? 0 : Math.min(100, (read / total) * 100);
  return (
    <>
      {statusText} {total > 0 ? `${read.toLocaleString(locale)} / ${total.toLocaleString(locale)}` : ''}
      <LinearProgress
        variant={total > 0 ? 'determinate' : 'indeterminate'}
        value={percent}
        aria-label={translate('simulations.progress')}
      />
    </>
  );
}
