import { QueryClient } from '@tanstack/react-query';

import { Admin, CustomRoutes, localStorageStore } from 'react-admin';
import { createBrowserRouter, Route, RouterProvider } from 'react-router-dom';
import { dataProvider } from '../api/dataProvider';
import { i18nProvider, preferredLocale } from '../i18n/i18nProvider';
import { AccountPage } from '../session/AccountPage';
import { authProvider } from '../session/authProvider';
import { SignedInTab } from '../session/SignedInTab';
import { SignInPage } from '../session/SignInPage';
import { ConsoleLayout } from './ConsoleLayout';
import { FirstPart } from './FirstPart';
import { NotFoundPage } from './NotFoundPage';
import { Permitted } from './Permitted';
import { type ConsolePart, parts } from './parts';
import { darkTheme, lightTheme } from './theme';

const store = localStorageStore('1', 'loyalty-console');

// The first visit is in the browser's language, where the console has it.
if (store.getItem('locale') === undefined) store.setItem('locale', preferredLocale());

// The client repeats requests itself, where that is safe. Requests without a connection fail, and the page says so: they
// would wait in silence otherwise.
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always' }, mutations: { networkMode: 'always' } },
});

/** Signing in, the layout, and a route for each part. */
function ConsoleAdmin() {
  return (
    <Admin
      {...{ authProvider, dataProvider, i18nProvider, store, queryClient, lightTheme, darkTheme }}
      layout={ConsoleLayout}
      loginPage={SignInPage}
      catchAll={NotFoundPage}
      disableTelemetry
      requireAuth
    >
      <CustomRoutes>
        {parts.flatMap(routesOf)}
        <Route path="/account" element={<AccountPage />} />
      </CustomRoutes>
      <CustomRoutes noLayout>
        <Route path="/signed-in" element={<SignedInTab />} />
      </CustomRoutes>
    </Admin>
  );
}

// One route for everything: react-admin has the others. A router with data can ask before a form is left.
const router = createBrowserRouter([{ path: '*', element: <ConsoleAdmin /> }], { basename: '/console/' });

/** The console. */
export function App() {
  // As transitions, the way to the page to sign in would lose against what react-admin shows when nobody is signed in,
  // which leads there again: thousands of times, for ten seconds.
  return <RouterProvider router={router} useTransitions={false} />;
}

function routesOf(part: ConsolePart) {
  const { Pages, path, alsoAt = [] } = part;
  const pages = <Pages />;
  // The console begins at `/`, whatever the user may see.
  if (path === '/') return [<Route key={path} path={path} element={<FirstPart part={part}>{pages}</FirstPart>} />];
  const element = <Permitted anyOf={part.permissions}>{pages}</Permitted>;
  return [path, ...alsoAt].map((each) => <Route key={each} path={`${each}/*`} element={element} />);
}
