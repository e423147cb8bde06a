import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { useEffect, useRef, useState } from 'react';
import { useLogin, useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { LanguageMenu } from '../app/LanguageMenu';
import { settings } from '../app/settings';
import { useDocumentTitle } from '../app/useDocumentTitle';
import { SignInForm } from './SignInForm';
import { oidcAddress } from './signIn';
import { providerFault } from './signInFault';

/** The page to sign in: by name and password, and at the OpenID provider where one is set. */
export function SignInPage() {
  const translate = useTranslate();
  const login = useLogin();
  const fault = useReturnFromProvider();
  const wanted = requestedPage(useLocation().state);
  const title = translate('signIn.title');
  useDocumentTitle(title);
  return (
    <Box sx={{ minHeight: '100vh', bgcolor: 'background.default', color: 'text.primary', p: 2 }}>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
        <LanguageMenu />
      </Box>
      <Paper component="main" sx={{ maxWidth: 400, mx: 'auto', mt: { xs: 2, sm: 10 }, p: 4 }}>
        <Typography variant="h1">{title}</Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5, mb: 3 }}>
          {translate('console.name')}
        </Typography>
        <Stack spacing={2}>
          {fault ? <Alert severity="error">{fault}</Alert> : null}
          <SignInForm onSignIn={(username, password) => login({ username, password }, wanted)} />
          {settings.oidc ? (
            <>
              <Divider>{translate('signIn.or')}</Divider>
              <Button variant="outlined" size="large" fullWidth href={oidcAddress(`/console${wanted}`)}>
                {translate('signIn.oidc')}
              </Button>
            </>
          ) : null}
        </Stack>
      </Paper>
    </Box>
  );
}

/** The page that was opened without a session, with its filters; react-admin leaves it in the history. */
function requestedPage(state: unknown): string {
  const { nextPathname, nextSearch } = (state ?? {}) as { nextPathname?: string; nextSearch?: string };
  if (!nextPathname) return '/';
  const query = new URLSearchParams(nextSearch);
  // The service takes no other spelling of a page to return to.
  return query.size === 0
    ? nextPathname
    : `${nextPathname}?${`${query}`.replaceAll('+', '%20').replaceAll('*', '%2A')}`;
}

/** Signs in with the code that the provider's way left in the address, once; returns what went wrong. */
function useReturnFromProvider(): string | undefined {
  const translate = useTranslate();
  const login = useLogin();
  const [fault, setFault] = useState<string>();
  const isDone = useRef(false);
  useEffect(() => {
    const brought = new URLSearchParams(location.hash.slice(1));
    const code = brought.get('code');
    const refused = brought.get('error');
    if ((code === null && refused === null) || isDone.current) return;
    isDone.current = true;
    const returnTo = (brought.get('returnTo') ?? '/console/').replace(/^\/console/, '') || '/';
    // The code is used up: it must not be tried again by reloading the page.
    history.replaceState(history.state, '', location.pathname);
    if (code === null) {
      setFault(providerFault(Number(refused), translate));
      return;
    }
    login({ code }, returnTo).catch((error: unknown) =>
      setFault(providerFault(error instanceof LoyaltyError ? error.status : 0, translate)),
    );
  }, [login, translate]);
  return fault;
}
