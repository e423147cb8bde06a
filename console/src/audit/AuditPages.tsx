import { Route, Routes } from 'react-router-dom';
import { NotFoundPage } from '../app/NotFoundPage';
import { ProgramZone } from '../time/ProgramZone';
import { AuditList } from './AuditList';
import { EntryPage } from './EntryPage';

/** The pages of the audit log: its entries, and one of them in full. */
export default function AuditPages() {
  return (
    <ProgramZone>
      <Routes>
        <Route index element={<AuditList />} />
        <Route path=":id" element={<EntryPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </ProgramZone>
  );
}
