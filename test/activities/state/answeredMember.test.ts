import { answeredPurse } from '#activities/state/answeredMember';
import { accrue } from '#engine/points/ledger/accrue';
import { burn } from '#engine/points/ledger/burn';
import { openLedger } from '#engine/points/ledger/ledger';
import { member, minute, points, policyNamed, someId } from '../../engine/points/builders';

const gifts = policyNamed('Gifts');

function twoPurses() {
  const now = minute(0);
  const ledger = openLedger({ member, purses: [], seq: 0, policies: [points, gifts], lots: [], timezone: 'UTC', now });
  const origin = { activity: someId() };
  const earn = (purse = points) => accrue(ledger, { purse: purse._id, points: 5, date: now, origin, n: 0 })._id;
  const show = (touched: ReturnType<typeof earn>[], purse = points) =>
    answeredPurse(ledger, ledger.purse(purse._id), touched);
  return { ledger, earn, show };
}

test('a purse is shown with the accrual items that the activity changed, as they were then', () => {
  const { ledger, earn, show } = twoPurses();
  const lot = earn();
  const first = show([lot]);
  burn(ledger, { purse: points._id, points: 2, origin: {} });
  expect(show([lot])).toMatchObject({ balance: 3, accruals: [{ availablePoints: 3, burnedPoints: 2 }] });
  expect(first).toMatchObject({ name: 'Points', balance: 5, accruals: [{ _id: lot, availablePoints: 5 }] });
  expect(show([]).accruals).toHaveLength(0);
});

test('each purse is shown with its own accrual items', () => {
  const { earn, show } = twoPurses();
  const lots = [earn(), earn(gifts)];
  const [own, input] = [show(lots), show(lots, gifts)];
  expect([own, input]).toMatchObject([{ name: 'Points' }, { name: 'Gifts' }]);
  const ids = [own, input].map(({ accruals }) => accruals.map(({ _id }) => _id));
  expect(ids).toEqual(lots.map((lot) => [lot]));
});
