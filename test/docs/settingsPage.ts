import type { TSchema } from '@sinclair/typebox';
import { secretSettings, settingGroups } from '#platform/infrastructure/settings';

/** Settings that belong to the machine, not to the service. */
const ofTheMachine = ['PATH', 'XDG_CACHE_HOME'];

const head = `# Settings

\`npm run docs\` writes this page from \`settingGroups\` in the code.

All settings are environment variables. At the start the service names each bad one in a line of its own.
[design/running.md](design/running.md#settings) has their details.

A secret may be in a file. These name files with the values of the settings without \`_FILE\`:
${secretSettings.map((name) => `\`${name}_FILE\``).join(', ')}.
`;

/** Returns the text of `docs/settings.md`. */
export function settingsPage(): string {
  const sections = settingGroups.map(({ title, settings }) => {
    const rows = Object.entries<TSchema>(settings)
      .filter(([name]) => !ofTheMachine.includes(name))
      .map(([name, { default: input, description }]) => {
        const shown = input === undefined || input === '' ? 'unset' : `\`${input}\``;
        return `| \`${name}\` | ${shown} | ${description} |\n`;
      });
    return `\n## ${title}\n\n| variable | default | meaning |\n|---|---|---|\n${rows.join('')}`;
  });
  return head + sections.join('');
}
