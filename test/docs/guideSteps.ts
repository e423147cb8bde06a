/** A block of shell commands in the guide, with the answer that the guide shows for it, if any. */
export interface GuideStep {
  commands: string;
  expected?: unknown;
}

/** Returns the blocks of commands of the guide in order, each with the answer that follows it. */
export function guideSteps(guide: string): GuideStep[] {
  const steps: GuideStep[] = [];
  for (const [, language, text = ''] of guide.matchAll(/```(sh|json)\n([^`]*)```/g)) {
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ commands: text });
    else if (last) last.expected = JSON.parse(text);
  }
  return steps;
}

/**
 * Makes one script of all blocks, because they share their variables. Block n writes its output to the file n. Settings
 * that differ from machine to machine replace those of the guide.
 */
export function guideScript(steps: readonly GuideStep[], settings: Record<string, string>): string {
  const blocks = steps.map(({ commands }, index) => `{\n${withSettings(commands, settings)}} > ${index}`);
  return ['set -euo pipefail', ...blocks].join('\n');
}

function withSettings(commands: string, settings: Record<string, string>): string {
  const lines = commands.split('\n').map((line) => {
    const [name = ''] = line.split('=');
    const setting = settings[name];
    return setting === undefined ? line : `${name}='${setting}'`;
  });
  return lines.join('\n');
}

/** Makes Jest's expectation from what the guide shows: `…` stands for anything, and objects may have further fields. */
export function shown(value: unknown): unknown {
  if (value === '…') return expect.anything();
  if (Array.isArray(value)) {
    const isOpen = value.at(-1) === '…';
    const elements = (isOpen ? value.slice(0, -1) : value).map(shown);
    return isOpen ? expect.arrayContaining(elements) : elements;
  }
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)])));
}
