/** Input of {@link banner}. */
export interface BannerInput {
  url: string;
  username: string;
  /**
   * Only a password that the service made itself. People who chose their password know it, and may not want it on a
   * screen.
   */
  madePassword: string | undefined;
  isDemo: boolean;
}

/**
 * Returns the text at the end of `npm start`: where the service is, how to log in, and how to award the first points.
 */
export function banner({ url, username, madePassword, isDemo }: BannerInput): string {
  return [
    '',
    `The loyalty engagement service is ready.`,
    '',
    `  API      ${url}/api/v1`,
    `  Docs     ${url}/docs`,
    `  Console  ${url}/console/`,
    `  Admin    ${username} / ${madePassword ?? '(the password that you chose)'}`,
    '',
    ...(isDemo ? firstPoints(url, username, madePassword ?? 'PASSWORD') : []),
    'Stop it with Ctrl-C; the data stays.',
    '',
  ].join('\n');
}

function firstPoints(url: string, username: string, password: string): string[] {
  const login = JSON.stringify({ username, password });
  const activity = JSON.stringify({ type: 'Accrual', loyaltyID: 'L-1001', srcChannelType: 'POS', value: 120 });
  return [
    'First points (copy both lines into another terminal):',
    '',
    `  TOKEN=$(curl -s ${url}/api/v1/login -H 'Content-Type: application/json' -d '${login}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${url}/api/v1/activity -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${activity}'`,
    '',
  ];
}
