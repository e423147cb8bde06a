import { Route, Routes, useLocation } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { NotFoundPage } from '../app/NotFoundPage';
import { RuleListPage } from './list/RuleListPage';
import { FirstZone } from './parts/FirstZone';

const NewRulePage = lazyPage(() => import('./page/NewRulePage'));
const RulePage = lazyPage(() => import('./page/RulePage'));
const RuleSetsPage = lazyPage(() => import('../rulesets/RuleSetsPage'));
const VersionPage = lazyPage(() => import('../rulesets/VersionPage'));
const ProposalsPage = lazyPage(() => import('../proposals/ProposalsPage'));
const ProposalPage = lazyPage(() => import('../proposals/ProposalPage'));
const SimulationsPage = lazyPage(() => import('../simulations/SimulationsPage'));
const SimulationPage = lazyPage(() => import('../simulations/SimulationPage'));

/** The pages of rules, versions, proposals and simulations. Each part of the address has its own. */
export default function RulesPages() {
  const { pathname } = useLocation();
  return <FirstZone>{pagesOf(pathname.split('/')[1])}</FirstZone>;
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
