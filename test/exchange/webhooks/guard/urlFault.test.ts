import { urlFault } from '#exchange/webhooks/guard/urlFault';

const https = /begin with https/;
const closed = /public internet/;

test.each([
  ['http://example.com/', https],
  ['ftp://example.com/', https],
  ['file:///etc/passwd', https],
  ['javascript:alert(1)', https],
  ['//example.com', /URL/],
  ['example.com', /URL/],
  ['https://', /URL/],
  ['https:example.com', /URL/],
  ['https:/example.com/', /URL/],
  ['https:\\\\example.com', /URL/],
  ['https://example.com\\@evil.example.invalid/', /URL/],
  ['https://:@example.com/', /URL/],
  ['https://@example.com/', /URL/],
  ['https:///example.com/', /URL/],
  [' https://example.com/', /URL/],
  ['https://exa\tmple.com/', /URL/],
  ['https://example.com/a b', /URL/],
  ['https://user@example.com/', /user name/],
  ['https://:secret@example.com/', /user name/],
  ['https://example.com/#here', /fragment/],
  ['https://example.com:0/', /port/],
  ['https://example.com:22/', /port/],
  ['https://example.com:80/', /port/],
  ['https://localhost/', closed],
  ['https://LOCALHOST./', closed],
  ['https://a.localhost:8443/', closed],
  ['https://metadata.google.internal/', closed],
  ['https://printer.local/', closed],
  ['https://127.0.0.1/', closed],
  ['https://127.1/', closed],
  ['https://0/', closed],
  ['https://0x7f.1/', closed],
  ['https://017700000001/', closed],
  ['https://2130706433/', closed],
  ['https://\uff11\uff12\uff17\u3002\uff10.0.1/', closed],
  ['https://169.254.169.254/latest/meta-data', closed],
  ['https://[::1]/', closed],
  ['https://[::ffff:10.0.0.1]:8443/', closed],
  ['https://[64:ff9b::a9fe:a9fe]/', closed],
])('%s is refused', (url, why) => {
  expect(urlFault(url, false)?.message).toMatch(why);
});

test.each(['https://example.com', 'https://example.com:443/a?b=c', 'https://example.com:8443/', 'https://8.8.8.8/'])(
  '%s is allowed',
  (url) => expect(urlFault(url, false)).toBeUndefined(),
);

test.each(['http://127.0.0.1:80/', 'http://localhost:3000/x', 'http://[::1]:9/', 'https://10.0.0.1/'])(
  '%s is allowed where private networks are',
  (url) => expect(urlFault(url, true)).toBeUndefined(),
);

test.each(['ftp://127.0.0.1/', 'http://u:p@127.0.0.1/', 'http://127.0.0.1:0/', 'nothing'])(
  '%s is refused everywhere',
  (url) => expect(urlFault(url, true)).toBeDefined(),
);
