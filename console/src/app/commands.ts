import { definitionNames } from '../definitions/definitionNames';
import { may } from '../session/session';
import { parts } from './parts';

/** Something that the command palette offers: a page to go to. */
export interface Command {
  group: string;
  label: string;
  to: string;
}

/** The pages beside the state of the service. */
const operationsPages = [
  { name: 'runs', to: '/operations/runs', permission: 'jobs:read' },
  { name: 'refused', to: '/operations/refused', permission: 'activityhistories:read' },
  { name: 'deliveries', to: '/operations/deliveries', permission: 'webhooks:read' },
  { name: 'files', to: '/operations/files', permission: 'imports:read' },
];

type Translate = (key: string, options?: Record<string, unknown>) => string;

/** Everything that the user may go to: the parts, each kind of definition, and a new one of each. */
export function commandsOf(translate: Translate): Command[] {
  const group = (name: string) => translate(`palette.${name}`);
  const shown = parts.filter(({ permissions }) => permissions.some(may));
  const readable = definitionNames.filter((name) => may(`${name}:read`));
  const creatable = definitionNames.filter((name) => may(`${name}:create`));
  const nameOf = (name: string, count: number) => translate(`resources.${name}.name`, { smart_count: count });
  return [
    ...shown.map(({ name, path }) => ({ group: group('pages'), label: translate(`menu.${name}`), to: path })),
    ...(may('rules:read') ? rulePages(translate, group('pages')) : []),
    ...(may('jobs:read') ? operationsPages : [])
      .filter(({ permission }) => may(permission))
      .map(({ name, to }) => ({ group: group('pages'), label: translate(`operations.${name}.title`), to })),
    ...readable.map((name) => ({ group: group('definitions'), label: nameOf(name, 2), to: `/definitions/${name}` })),
    ...creatable.map((name) => ({
      group: group('new'),
      label: translate('palette.newOne', { name: nameOf(name, 1) }),
      to: `/definitions/${name}/create`,
    })),
    ...(may('members:create')
      ? [{ group: group('new'), label: translate('members.create.title'), to: '/members/create' }]
      : []),
  ];
}

/** The search for members by the typed text, after all other commands, for users who may read members. */
export function findMember(typed: string, translate: Translate): Command[] {
  const text = typed.trim();
  if (text === '' || !may('members:read')) return [];
  return [
    {
      group: translate('menu.members'),
      label: translate('palette.findMember', { text }),
      to: `/members?${new URLSearchParams({ search: text })}`,
    },
  ];
}

/** The pages beside the list of rules. */
function rulePages(translate: Translate, group: string): Command[] {
  const pages = ['rulesets', 'proposals', 'simulations'].map((name) => ({
    group,
    label: translate(`${name}.title`),
    to: `/${name}`,
  }));
  return may('rules:check') ? [...pages, { group, label: translate('rules.new.title'), to: '/rules/new' }] : pages;
}
