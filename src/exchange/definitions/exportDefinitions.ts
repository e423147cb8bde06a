import { stringify } from 'yaml';
import type { Resource } from '#base/schema/resource';
import type { StoredDefinition, StoredDefinitions } from './storedDefinitions';

/** The forms of a definition file. */
export const fileFormats = ['yaml', 'json'] as const;

export type FileFormat = (typeof fileFormats)[number];

/** The text of a definition file with the definitions of these resources. Each resource has a section. */
export function exportText({ all }: StoredDefinitions, resources: readonly Resource[], format: FileFormat): string {
  const sections = resources.map(({ path }) => {
    const own = all.filter(({ resource }) => resource.path === path);
    return [path, own.map(({ body }) => body)] as const;
  });
  const file = Object.fromEntries(sections);
  // Anchors would make a file that nobody edits by hand.
  if (format === 'yaml') return stringify(file, { aliasDuplicateObjects: false, lineWidth: 0 });
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** What a file cannot carry to another org: a sentence for each definition that names records by their ids. */
export function exportNotices({ all }: StoredDefinitions, resources: readonly Resource[]): string[] {
  const own = all.filter(({ resource }) => resources.includes(resource));
  return own.flatMap((each) => [...membersNotice(each), ...idsNotice(each)]);
}

function membersNotice({ resource, record, body, key }: StoredDefinition): string[] {
  if (resource.name !== 'NamedList' || record.ids === undefined || body.ids !== undefined) return [];
  return [`${key}: the records that it lists by id are no definitions; the file does not have them`];
}

function idsNotice({ body, key }: StoredDefinition): string[] {
  const { ext, ...others } = body;
  const ids = JSON.stringify(others).match(/\b[0-9a-f]{24}\b/gi) ?? [];
  return ids.length === 0 ? [] : [`${key}: names ${ids.join(', ')} by id, which another org does not have`];
}
