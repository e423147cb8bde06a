import { ObjectId } from 'bson';
import { createDeliverer } from '../../src/exchange/webhooks/deliver/createDeliverer';
import { runNextSimulation } from '../../src/publishing/simulations/runNextSimulation';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

test('faults of a form are in German, at their fields and in the notice', async () => {
  const { page, faults, close } = await world.signedIn('admin', '/definitions/programs/create', 'de-DE');
  await page.getByLabel('Code').fill('demo');
  await page.getByLabel('Name', { exact: false }).first().fill('Noch eines');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('hat schon ein anderer Eintrag', { exact: true }).waitFor();
  await page.getByText('Code: hat schon ein anderer Eintrag').waitFor();
  expect(faults.filter((each) => !each.includes('422'))).toEqual([]);
  await close();
});

test('a fault that react-admin shows is in German too', async () => {
  const filter = encodeURIComponent(JSON.stringify({ query: '{"nope":1}' }));
  const { page, close } = await world.signedIn('admin', `/definitions/products?filter=${filter}`, 'de-DE');
  const fault = page.getByText('query: "nope" ist hier kein Feld');
  await fault.first().waitFor();
  expect(await page.getByText('is not a field').count()).toBe(0);
  await close();
});

test('checks, differences of tests and facts of a rule are in German, and a fact is also found by its name in rules', async () => {
  const { page, close } = await world.signedIn('admin', '/rules/demo/base-earn?view=form', 'de-DE');
  const fact = page.getByRole('combobox', { name: 'Angabe', exact: true });
  expect(await fact.inputValue()).toBe('Aktivität: Wert');
  await fact.fill('activity lineItems[*].itemSKU');
  await page.getByRole('option', { name: 'Aktivität: Positionen, Artikelnummer' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('group', { name: 'Tests 1' }).getByLabel('Points').first().fill('99');
  const checks = page.getByRole('region', { name: 'Prüfungen' });
  await checks
    .getByText('der Test „a dollar is a point“ ist nicht bestanden: erwartet: 99 Points, gekommen: 120')
    .waitFor();

  await page.getByLabel('Vorrang', { exact: true }).fill('0');
  await checks.getByText('priority muss mindestens 1 sein').waitFor();
  await close();
});

test('the reason of a refused activity is in German on its page, at the member and in the list of refused activities', async () => {
  const client = world.server.as('client');
  const { body: members } = await client.get('/members?limit=1&select=_id');
  const [{ _id: member }] = members;
  const { body } = await client.post('/activity', { type: 'Redemption', memberID: member, value: 9000 });
  const why = 'Nicht genug Punkte in Points: nötig 9000';
  const { page, go, close } = await world.signedIn(
    ...(['admin', `/activities/${body.result.data.activityId}`, 'de-DE'] as const),
  );
  await page.getByRole('alert').getByText(why).waitFor();
  await page.getByText(`Sie scheiterte: ${why}`).waitFor();
  for (const path of [`/members/${member}`, '/operations/refused']) {
    await go(path);
    await page.getByText(why).first().waitFor();
  }
  await close();
});

test('why a simulation failed is in German; one of an earlier version shows its English text', async () => {
  const { services } = world.server;
  const api = world.server.as('admin');
  const rules = [{ key: 'tea', name: 'Tea', activityTypes: ['Accrual'], actions: [{ type: 'log', message: 'Tea' }] }];
  const simulations = services.db.collection('simulations');
  const begin = async () => {
    const { body } = await api.post('/rules/simulate', { program: 'demo', rules });
    return new ObjectId(String(body._id));
  };
  const _id = await begin();
  await simulations.updateOne({ _id, org: services.org._id }, { $set: { drafts: 7 } });
  await runNextSimulation(services);
  const earlier = await begin();
  await simulations.updateOne(
    { _id: earlier, org: services.org._id },
    { $set: { status: 'Failed', error: 'RangeError' } },
  );
  const { page, faults, close } = await world.signedIn('admin', '/simulations', 'de-DE');
  await page.getByText('Gescheitert: Fehler TypeError').waitFor();
  await page.getByText('Gescheitert: RangeError').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('why an event could not be delivered, and why a webhook is paused, is in German', async () => {
  const { services } = world.server;
  const api = world.server.as('admin');
  const body = { url: 'https://example.com/hook', events: ['member.created'] };
  const { body: webhook } = await api.post('/webhooks', body);
  const deliver = async (config: object) => {
    await api.post(`/webhooks/${webhook._id}/test`);
    const deliverer = createDeliverer({ ...services, config: { ...services.config, ...config } });
    await deliverer.look();
    await deliverer.idle();
    await deliverer.close();
  };
  // A URL that nothing is posted to any more, so that the test needs no network.
  const refused = { url: 'ftp://example.com/hook' };
  await services.db
    .collection('webhooks')
    .updateOne({ _id: new ObjectId(String(webhook._id)), org: services.org._id }, { $set: refused });
  await deliver({});
  await deliver({ WEBHOOK_KEY: 'another key of 32 bytes or more, not secret' });
  const { page, go, faults, close } = await world.signedIn('admin', '/operations/deliveries', 'de-DE');
  await page.getByRole('cell', { name: 'die Adresse (URL) muss mit https:// beginnen' }).waitFor();
  await go(`/definitions/webhooks/${webhook._id}`);
  await page.getByRole('alert').getByText('Der Schlüssel, aus dem sein Geheimnis abgeleitet wird').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('what a rule could not give is on the page of the activity, with the reason in German', async () => {
  const { services } = world.server;
  const client = world.server.as('client');
  const { body: members } = await client.get('/members?limit=1&select=_id');
  await services.db.collection('rewards').deleteOne({ org: services.org._id, code: 'COFFEE' });
  const { body } = await client.post('/activity', {
    type: 'Redemption',
    memberID: members[0]._id,
    value: 0,
    ext: { want: 'coffee' },
  });
  const { page, violations, faults, close } = await world.signedIn(
    ...(['admin', `/activities/${body.result.data.activityId}`, 'de-DE'] as const),
  );
  const notGiven = page.getByRole('region', { name: 'Was Regeln nicht geben konnten' });
  await notGiven.getByText('COFFEE: die Prämie gibt es nicht').waitFor();
  expect(await violations()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('the form of an extension field shows the labels, the help and the names of values from its definition', async () => {
  const { page, faults, close } = await world.signedIn('admin', '/definitions/pursepolicies/create', 'de-DE');
  await page.getByLabel('Kosten je Punkt').waitFor();
  await page.getByText('In der Währung des Programms; für die Verbindlichkeit in Berichten').waitFor();
  await page.getByLabel('Verfall').click();
  await page.getByText('Gleitend: so lange nach der Gutschrift').waitFor();
  await page.getByRole('combobox', { name: 'Art' }).click();
  await page.getByRole('option', { name: 'Untätigkeit' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
