import { isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '#exchange/webhooks/guard/isPublicAddress';
import { scaled, seedsOf } from '../../../support/scale';

const refused = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::808:808',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  '',
  'example.com',
  '127.1',
  '0x7f000001',
  '2130706433',
  '1.2.3',
  '::ffff:1.2.3',
  '[::1]',
];
const allowed = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '169.253.1.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
];

test.each(refused)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(allowed)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

/** What another library says. Ranges for which it knows no name are those that this service names itself. */
function isUnicast(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.range() === 'rfc6052') return isUnicast(dottedEnd(address.toByteArray()));
  return address.range() === 'unicast';
}

const dottedEnd = (bytes: number[]) => bytes.slice(-4).join('.');

const byte = fc.integer({ min: 0, max: 255 });
const prefixes = [...refused, ...allowed].filter((each) => isIP(each) !== 0 && !each.includes('%'));
const near = fc.tuple(fc.constantFrom(...prefixes), fc.nat({ max: 15 }), byte).map(([text, at, value]) => {
  const bytes = ipaddr.parse(text).toByteArray();
  bytes[at % bytes.length] = value;
  return ipaddr.fromByteArray(bytes).toString();
});
const anyIPv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const anyIPv6 = fc.array(byte, { minLength: 16, maxLength: 16 }).map((bytes) => ipaddr.fromByteArray(bytes).toString());

test.each(seedsOf(1))('no address is public that another library calls special (seed %i)', (seed) => {
  fc.assert(
    fc.property(fc.oneof(near, anyIPv4, anyIPv6), (address) => {
      if (isPublicAddress(address)) expect([address, isUnicast(address)]).toEqual([address, true]);
    }),
    { seed, numRuns: scaled(3000, seed) },
  );
});

test.each(seedsOf(2))('every spelling of an address is judged alike (seed %i)', (seed) => {
  fc.assert(
    fc.property(fc.oneof(near, anyIPv6), (address) => {
      const parsed = ipaddr.parse(address);
      const spelled = parsed.kind() === 'ipv6' ? parsed.toNormalizedString() : `::ffff:${address}`;
      expect([address, isPublicAddress(spelled.toUpperCase())]).toEqual([address, isPublicAddress(address)]);
    }),
    { seed, numRuns: scaled(2000, seed) },
  );
});
