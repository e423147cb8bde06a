import { clientNetwork } from '#access/users/clientNetwork';

const forwarded = (text: string) => ({ 'x-forwarded-for': text });

test.each([
  ['the peer is the client', {}, '10.0.0.9', 0, '10.0.0.9'],
  ['what a client claims is not believed', forwarded('1.2.3.4'), '10.0.0.9', 0, '10.0.0.9'],
  ['a proxy tells whom it saw', forwarded('1.2.3.4'), '10.0.0.9', 1, '1.2.3.4'],
  ['what the client told the proxy is not believed', forwarded('6.6.6.6, 1.2.3.4'), '10.0.0.9', 1, '1.2.3.4'],
  ['two proxies', forwarded('6.6.6.6,1.2.3.4 , 10.0.0.8'), '10.0.0.9', 2, '1.2.3.4'],
  ['fewer names than proxies', forwarded('1.2.3.4'), '10.0.0.9', 2, '10.0.0.9'],
  ['no header behind a proxy', {}, '10.0.0.9', 1, '10.0.0.9'],
  ['what is no address', forwarded('unknown'), '10.0.0.9', 1, '10.0.0.9'],
  ['IPv4 as IPv6', {}, '::ffff:10.0.0.9', 0, '10.0.0.9'],
  ['loopback', {}, '::1', 0, '0:0:0:0::/64'],
  ['IPv6', {}, '2001:db8:0:a::1', 0, '2001:db8:0:a::/64'],
  ['IPv6 in full', forwarded('2001:0DB8:0000:000a:1:2:3:4'), '::1', 1, '2001:db8:0:a::/64'],
  ['IPv6 with an IPv4 end', {}, '64:ff9b::1.2.3.4', 0, '64:ff9b:0:0::/64'],
  ['IPv6 with zeros at the end', {}, '2001:db8::', 0, '2001:db8:0:0::/64'],
])('%s', (_name, headers: Record<string, string>, remoteAddress, proxies, network) => {
  expect(clientNetwork({ headers, remoteAddress }, proxies)).toBe(network);
});
