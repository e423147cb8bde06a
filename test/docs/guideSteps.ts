/** A block of shell commands of the guide and the answer that the guide shows for it, if any. */
export interface GuideStep {
  commands: string;
  expected?: unknown;
}

/** The blocks of commands of the guide in their order, each with the answer that stands next. */
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
 * One script of all blocks, which share their variables; what block n prints goes to the file n. Settings that differ
 * from machine to machine replace the guide's own.
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

/** An expectation of Jest for what the guide shows: `…` is anything, and objects may have further fields. */
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
