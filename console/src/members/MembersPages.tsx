import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { NotFoundPage } from '../app/NotFoundPage';
import { Permitted } from '../app/Permitted';
import { MembersPage } from './list/MembersPage';
import { MemberPage } from './page/MemberPage';

const ActivityPage = lazyPage(() => import('../activities/page/ActivityPage'));
const ReturnPage = lazyPage(() => import('../activities/return/ReturnPage'));
const AgainPage = lazyPage(() => import('../activities/repost/AgainPage'));
const PostPage = lazyPage(() => import('../activities/post/PostPage'));
const CreateMemberPage = lazyPage(() => import('./change/CreateMemberPage'));
const EditMemberPage = lazyPage(() => import('./change/EditMemberPage'));
const MergePage = lazyPage(() => import('./change/MergePage'));

/** The pages about members and their activities. */
export default function MembersPages() {
  const { pathname } = useLocation();
  return pathname.startsWith('/activities') ? ofActivities : ofMembers;
}

const ofMembers = (
  <Routes>
    <Route index element={<MembersPage />} />
    <Route path="create" element={needs('members:create', <CreateMemberPage />)} />
    <Route path=":id" element={<MemberPage />} />
    <Route path=":id/edit" element={needs('members:update', <EditMemberPage />)} />
    <Route path=":id/post" element={needs('activity:post', <PostPage />)} />
    <Route path=":id/merge" element={needs('member:merge', <MergePage />)} />
    <Route path="*" element={<NotFoundPage />} />
  </Routes>
);

const ofActivities = (
  <Routes>
    <Route index element={<Navigate to="/members" replace />} />
    <Route path=":id" element={needs('activityhistories:read', <ActivityPage />)} />
    <Route path=":id/return" element={needs('activity:cancel', <ReturnPage />)} />
    <Route path=":id/again" element={needs('activity:post', <AgainPage />)} />
    <Route path="*" element={<NotFoundPage />} />
  </Routes>
);

function needs(permission: string, page: React.ReactNode) {
  return <Permitted anyOf={[permission]}>{page}</Permitted>;
}
