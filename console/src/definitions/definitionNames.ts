/** The collections of definitions, by the subjects under which people look for them. */
export const definitionGroups = {
  programs: ['programs', 'pursepolicies', 'tierpolicies'],
  offers: ['offers', 'rewards'],
  catalog: ['products', 'locations', 'partners'],
  lists: ['namedlists', 'segments', 'enums'],
  extensions: ['extschemas', 'extdefs'],
  access: ['users', 'apikeys', 'webhooks'],
} as const;

/** A collection of definitions: its path in the API. */
export type DefinitionName = (typeof definitionGroups)[keyof typeof definitionGroups][number];

/** Every collection of definitions. */
export const definitionNames: readonly DefinitionName[] = Object.values(definitionGroups).flat();

/** Tells whether a string names a collection of definitions. */
export function isDefinitionName(text: string | undefined): text is DefinitionName {
  return definitionNames.some((name) => name === text);
}
