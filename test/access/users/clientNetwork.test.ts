import { clientNetwork } from '#access/users/clientNetwork';

const forwarded = (text: string) => ({ 'x-forwarded-for': text });

test.each([
  ['the client is the peer without a proxy', {}, '10.0.0.9', 0, '10.0.0.9'],
  ['a header of the client itself is ignored', forwarded('1.2.3.4'), '10.0.0.9', 0, '10.0.0.9'],
  ['the client is the address that the proxy saw', forwarded('1.2.3.4'), '10.0.0.9', 1, '1.2.3.4'],
  ['an address that the client sent to the proxy is ignored', forwarded('6.6.6.6, 1.2.3.4'), '10.0.0.9', 1, '1.2.3.4'],
  [
    'the client is the second address from the end behind two proxies',
    forwarded('6.6.6.6,1.2.3.4 , 10.0.0.8'),
    '10.0.0.9',
    2,
    '1.2.3.4',
  ],
  [
    'the client is the peer when the header has fewer addresses than proxies',
    forwarded('1.2.3.4'),
    '10.0.0.9',
    2,
    '10.0.0.9',
  ],
  ['the client is the peer when the proxy sent no header', {}, '10.0.0.9', 1, '10.0.0.9'],
  ['the client is the peer when the header is no address', forwarded('unknown'), '10.0.0.9', 1, '10.0.0.9'],
  ['an IPv4 address in the form of IPv6 is an IPv4 address', {}, '::ffff:10.0.0.9', 0, '10.0.0.9'],
  ['the loopback address is a network of 64 bits', {}, '::1', 0, '0:0:0:0::/64'],
  ['an IPv6 address is a network of 64 bits', {}, '2001:db8:0:a::1', 0, '2001:db8:0:a::/64'],
  ['an IPv6 address in full is shortened', forwarded('2001:0DB8:0000:000a:1:2:3:4'), '::1', 1, '2001:db8:0:a::/64'],
  ['an IPv6 address that ends like an IPv4 address is a network', {}, '64:ff9b::1.2.3.4', 0, '64:ff9b:0:0::/64'],
  ['an IPv6 address with zeros at its end is a network', {}, '2001:db8::', 0, '2001:db8:0:0::/64'],
])('%s', (_name, headers: Record<string, string>, remoteAddress, proxies, network) => {
  expect(clientNetwork({ headers, remoteAddress }, proxies)).toBe(network);
});
