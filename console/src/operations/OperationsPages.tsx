import { useTranslate } from 'react-admin';
import { Route, Routes, useLocation } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { NotFoundPage } from '../app/NotFoundPage';
import { PageHeading } from '../app/PageHeading';
import { may } from '../session/session';
import { ProgramZone } from '../time/ProgramZone';
import { OperationsNav } from './OperationsNav';
import { StatePage } from './StatePage';

const RunsPage = lazyPage(() => import('./RunsPage'));
const RefusedPage = lazyPage(() => import('./RefusedPage'));
const DeliveriesPage = lazyPage(() => import('./DeliveriesPage'));
const FilesPage = lazyPage(() => import('./FilesPage'));

/** The pages of operation, each with its permission. */
const pages = [
  { name: 'state', path: '/operations', permission: 'jobs:read' },
  { name: 'runs', path: '/operations/runs', permission: 'jobs:read' },
  { name: 'refused', path: '/operations/refused', permission: 'activityhistories:read' },
  { name: 'deliveries', path: '/operations/deliveries', permission: 'webhooks:read' },
  { name: 'files', path: '/operations/files', permission: 'imports:read' },
] as const;

/** How the service works: timers and queues, runs of jobs, refused activities, deliveries to webhooks, imports and exports. */
export default function OperationsPages() {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const shown = pages.filter(({ permission }) => may(permission));
  const present = shown.find(({ path }) => path === pathname.replace(/\/$/, ''));
  if (!present) return <NotFoundPage />;
  const title = translate(present.name === 'state' ? 'menu.operations' : `operations.${present.name}.title`);
  return (
    <ProgramZone>
      <PageHeading title={title} text={translate(`operations.${present.name}.text`)} />
      <OperationsNav pages={shown} present={present.path} />

      <Routes>
        <Route index element={<StatePage />} />
        <Route path="runs" element={<RunsPage />} />
        <Route path="refused" element={<RefusedPage />} />
        <Route path="deliveries" element={<DeliveriesPage />} />
        <Route path="files" element={<FilesPage />} />
      </Routes>
    </ProgramZone>
  );
}
