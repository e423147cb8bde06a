/** What the page knows before a user has signed in. */
interface ConsoleSettings {
  /** Staff may sign in at an OpenID provider. */
  oidc: boolean;
}

/** The settings that the service wrote into the page. */
export const settings: ConsoleSettings = read();

function read(): ConsoleSettings {
  const text = document.querySelector<HTMLMetaElement>('meta[name=console-settings]')?.content ?? '';
  // The development server does not fill them in.
  return text.startsWith('{') ? (JSON.parse(text) as ConsoleSettings) : { oidc: false };
}
