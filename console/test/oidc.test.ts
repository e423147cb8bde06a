import { oidcConfig, redirectUri, startProvider } from '../../test/users/oidc/providers';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let provider: Awaited<ReturnType<typeof startProvider>>;
let world: ConsoleWorld;
beforeAll(async () => {
  provider = await startProvider();
  world = await openConsoleWorld({ oidc: oidcConfig(provider.issuer) });
});
afterAll(async () => {
  await world.close();
  await provider.stop();
});

/**
 * Opens a window in which one signs in at the provider as `who`. The provider's test page has nothing to type: who it is
 * stands in its address. It leads back to the address that is registered there, which here means the service.
 */
async function at(who: string) {
  const browsing = await world.anonymous();
  const { page } = browsing;
  const { origin } = new URL(redirectUri);
  await page.context().route(`${provider.issuer}/auth*`, async (route) => {
    const asked = new URL(route.request().url());
    const isNamed = asked.searchParams.has('login_hint');
    asked.searchParams.set('login_hint', who);
    if (isNamed) await route.continue();
    else await route.fulfill({ status: 302, headers: { location: asked.href } });
  });
  await page
    .context()
    .route(`${origin}/**`, (route) =>
      route.fulfill({ status: 302, headers: { location: route.request().url().replace(origin, world.server.url) } }),
    );
  return browsing;
}

test('who signs in with the company account comes back to the page that was asked for', async () => {
  const { page, go, close } = await at('ada:managers');
  await go('/definitions/programs');
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Programs' }).waitFor();
  const address = new URL(page.url());
  expect([address.pathname, address.hash]).toEqual(['/console/definitions/programs', '']);
  await close();
});

test('who has no role reads why', async () => {
  const { page, go, close } = await at('bob:strangers');
  await go('/');
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await page.getByText('Your account has no role here.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/login');
  await close();
});
