import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { NotFoundPage } from '../app/NotFoundPage';
import { RuleListPage } from './list/RuleListPage';
import { FirstZone } from './parts/FirstZone';
import { Waiting } from './parts/Waiting';

const NewRulePage = lazy(() => import('./page/NewRulePage'));
const RulePage = lazy(() => import('./page/RulePage'));
const RuleSetsPage = lazy(() => import('../rulesets/RuleSetsPage'));
const VersionPage = lazy(() => import('../rulesets/VersionPage'));
const ProposalsPage = lazy(() => import('../proposals/ProposalsPage'));
const ProposalPage = lazy(() => import('../proposals/ProposalPage'));
const SimulationsPage = lazy(() => import('../simulations/SimulationsPage'));
const SimulationPage = lazy(() => import('../simulations/SimulationPage'));

/** The pages of rules, versions, proposals and simulations. Each part of the address has its own. */
export default function RulesPages() {
  const { pathname } = useLocation();
  return (
    <FirstZone>
      <Suspense fallback={<Waiting />}>{pagesOf(pathname.split('/')[1])}</Suspense>
    </FirstZone>
  );
}

function pagesOf(part: string | undefined) {
  if (part === 'rulesets') {
    return (
      <Routes>
        <Route index element={<RuleSetsPage />} />
        <Route path=":version" element={<VersionPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    );
  }
  if (part === 'simulations') {
    return (
      <Routes>
        <Route index element={<SimulationsPage />} />
        <Route path=":id" element={<SimulationPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    );
  }
  if (part === 'proposals') {
    return (
      <Routes>
        <Route index element={<ProposalsPage />} />
        <Route path=":id" element={<ProposalPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    );
  }
  return (
    <Routes>
      <Route index element={<RuleListPage />} />
      <Route path="new" element={<NewRulePage />} />
      <Route path=":program/:key" element={<RulePage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
