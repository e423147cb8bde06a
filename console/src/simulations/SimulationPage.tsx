import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { client } from '../api/client';
import { lazyPage } from '../app/lazyPage';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { download } from '../rules/parts/download';
import { Waiting } from '../rules/parts/Waiting';
import { may } from '../session/session';
import { DateTime } from '../time/DateTime';
import { Progress } from './Progress';
import { isOpen, type Simulation, useSimulation } from './simulationApi';

const ResultView = lazyPage(() => import('./ResultView'));

/** The page of a simulation: its progress, then what it says. It can be left and comes back where it is. */
export default function SimulationPage() {
  const translate = useTranslate();
  const { id = '' } = useParams();
  const { data, error } = useSimulation(id);
  return (
    <>
      <PageHeading
        title={translate('simulations.one')}
        text={data ? <Scope simulation={data} /> : undefined}
        actions={data ? <Actions simulation={data} /> : undefined}
      />
      <Fault error={error} />
      {data && data.status !== 'Done' ? (
        <Card sx={{ p: 2 }} role="status">
          <Progress simulation={data} />
          {isOpen(data) ? translate('simulations.leave') : null}
        </Card>
      ) : null}
      {data?.result ? <ResultView result={data.result} /> : null}
      {data || error ? null : <Waiting />}
    </>
  );
}

function Scope({ simulation }: { simulation: Simulation }) {
  const translate = useTranslate();
  const { createdAt, from, to, sample } = simulation;
  return (
    <>
      {translate('simulations.fields.createdAt')} <DateTime at={createdAt} />
      {from ? (
        <>
          {' '}
          · {translate('simulations.fields.from')} <DateTime at={from} />
        </>
      ) : null}
      {to ? (
        <>
          {' '}
          · {translate('simulations.fields.to')} <DateTime at={to} />
        </>
      ) : null}
      {sample === undefined ? null : ` · ${translate('simulations.sample', { percent: sample * 100 })}`}
    </>
  );
}

function Actions({ simulation }: { simulation: Simulation }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { _id: id, result: found } = simulation;
  const ending = useMutation({
    mutationFn: () => result(client.DELETE('/api/v1/simulations/{id}', { params: { path: { id } } })),
    onSuccess: () => navigate('/simulations'),
  });
  return (
    <>
      {found ? (
        <Button onClick={() => download(`simulation-${id}.json`, JSON.stringify(found, null, 2))}>
          {translate('simulations.download')}
        </Button>
      ) : null}
      {may('rules:simulate') ? (
        <Button color="error" loading={ending.isPending} onClick={() => ending.mutate()}>
          {translate(isOpen(simulation) ? 'simulations.end' : 'simulations.delete')}
        </Button>
      ) : null}
    </>
  );
}
