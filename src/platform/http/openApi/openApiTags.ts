import type { Resource } from '#base/schema/resource';
import { tagGroups } from '#base/schema/tags';
import type { Route } from '../route';
import type { JsonSchema } from './openApiSchema';

/** Returns the one tag of a route, as a list. It is empty when neither the route nor its resource has a tag. */
export function tagsOfRoute({ path, tag }: Route, resources: readonly Resource[]): string[] {
  const [, first] = path.split('/');
  return [tag ?? resources.find((resource) => resource.path === first)?.tag ?? []].flat();
}

/**
 * Describes the tags of these routes for the top of the document, in their order. `x-tagGroups` is how readers such as
 * Scalar and Redoc know groups of tags.
 */
export function describeTags(routes: readonly Route[], resources: readonly Resource[]): JsonSchema {
  const used = new Set(routes.flatMap((route) => tagsOfRoute(route, resources)));
  const groups = tagGroups
    .map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }))
    .filter(({ tags }) => tags.length > 0);
  return {
    tags: groups.flatMap(({ tags }) => tags),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
  };
}
