const left = '[Redacted]';

/** What a line must contain before a pattern is tried on it, the pattern, and the replacement. */
const patterns: readonly { sign: string; pattern: RegExp; by: string }[] = [
  // The keys and secrets that the service makes, and its tokens.
  { sign: 'lk_', pattern: /(lk_[0-9a-f]{24})_[\w-]+/g, by: `$1_${left}` },
  // The id of a key may be logged, nothing else that looks like one.
  { sign: 'lk_', pattern: /\blk_(?![0-9a-f]{24}(?:_\[|\b))[\w-]{4,}/g, by: left },
  { sign: 'whsec_', pattern: /\bwhsec_[\w+/=-]{4,}/g, by: left },
  { sign: 'eyJ', pattern: /\beyJ[\w.-]{8,}/g, by: left },
  // Headers, with any quotes.
  { sign: 'earer ', pattern: /\b([Bb]earer) [^\s"'\\,;]+/g, by: `$1 ${left}` },
  { sign: 'asic ', pattern: /\b([Bb]asic) [\w+/=-]{6,}/g, by: `$1 ${left}` },
  // Addresses of stores with a password.
  { sign: '://', pattern: /(:\/\/[^\s:/@"\\]{0,200}):[^\s/@"\\]{1,500}@/g, by: `$1:${left}@` },
  // Arguments of URLs. Whatever else they hold, names and addresses of people do not belong into a log.
  {
    sign: '=',
    pattern: /([?&](?:email|phone|search|username|password|token|code|secret|key)=)[^&\s"'\\]+/gi,
    by: `$1${left}`,
  },
  // Fields of objects that were logged as text, or deeper than the log looks by key.
  {
    sign: '":"',
    pattern: /("(?:password|passwordHash|token|authorization|cookie|tokenKey|secret|apiKey)":")[^"\\]+/gi,
    by: `$1${left}`,
  },
  { sign: '@', pattern: /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,255}/g, by: left },
];

/**
 * Returns a line of the log without passwords, tokens, API keys, secrets of webhooks and addresses of e-mail. Its time
 * grows with the length of the line.
 */
export function withoutSecrets(line: string): string {
  let clean = line;
  for (const { sign, pattern, by } of patterns) if (clean.includes(sign)) clean = clean.replace(pattern, by);
  return clean;
}
