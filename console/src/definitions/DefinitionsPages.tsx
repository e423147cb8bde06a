import { ResourceContextProvider } from 'react-admin';
import { Route, Routes, useParams } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { NotFoundPage } from '../app/NotFoundPage';
import { Permitted } from '../app/Permitted';
import { DefinitionsPage } from './DefinitionsPage';
import { type DefinitionName, isDefinitionName } from './definitionNames';
import { DefinitionList } from './list/DefinitionList';

const CreatePage = lazyPage(() => import('./form/CreatePage'));
const EditPage = lazyPage(() => import('./form/EditPage'));

/** The pages of all kinds of definitions: what there is, the list of a kind, and one record. */
export default function DefinitionsPages() {
  return (
    <Routes>
      <Route index element={<DefinitionsPage />} />
      <Route path=":resource" element={<OfKind verb="read">{(name) => <DefinitionList name={name} />}</OfKind>} />
      <Route path=":resource/create" element={<OfKind verb="create">{(name) => <CreatePage name={name} />}</OfKind>} />
      <Route path=":resource/:id" element={<OfKind verb="read">{(name) => <EditPage name={name} />}</OfKind>} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

interface OfKindProps {
  verb: string;
  children(name: DefinitionName): React.ReactNode;
}

/** The page of the kind in the address, for users with the permission. */
function OfKind({ verb, children }: OfKindProps) {
  const { resource } = useParams();
  if (!isDefinitionName(resource)) return <NotFoundPage />;
  return (
    <Permitted anyOf={[`${resource}:${verb}`]}>
      <ResourceContextProvider value={resource} key={resource}>
        {children(resource)}
      </ResourceContextProvider>
    </Permitted>
  );
}
