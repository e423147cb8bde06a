import { openApi } from '../../src/platform/http/openApi/openApi';
import { allRoutes } from '../../src/server/routes';
import { resources } from '../../src/server/services/resources';
import { definitionNames } from '../src/definitions/definitionNames';
import { initialOf, untouchedFlag } from '../src/definitions/inputs/initialOf';
import type { ApiDocument } from '../src/definitions/schema/document';
import { createFields, type Field, updateFields } from '../src/definitions/schema/shape';

const document = JSON.parse(
  JSON.stringify(openApi({ routes: allRoutes, resources, version: '0' })),
) as unknown as ApiDocument;

interface Flag {
  path: string;
  field: Field;
}

/** Every field of true or false in the forms of a collection, in objects and lists too. */
function flagsIn(fields: readonly Field[], above: string): Flag[] {
  return fields.flatMap((field): Flag[] => {
    const path = `${above}.${field.name}`;
    const shape = field.shape.kind === 'list' ? field.shape.element : field.shape;
    if (shape.kind === 'object') return flagsIn(shape.fields, path);
    return shape.kind === 'boolean' ? [{ path, field }] : [];
  });
}

const flags = definitionNames.flatMap((name) => [
  ...flagsIn(createFields(document, name), `create ${name}`),
  ...flagsIn(updateFields(document, name), `update ${name}`),
]);

/** What the service takes where a flag is not sent: read from the contract (docs/design), not from the schemas. */
const absentMeansTrue = ['isIncluded', 'isActive'];

test('the forms of several collections have flags', () => {
  expect(flags.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['create offers.productFilter.isIncluded', 'create rewards.locationFilter.isIncluded']),
  );
});

test.each(flags.map(({ path, field }) => [path, field] as const))(
  '%s is sent as the meaning of its absence when the user did not touch it',
  (_path, field) => {
    const sent = untouchedFlag(field);
    // null stands for nothing: the service takes it as absent.
    if (sent !== null) expect(sent).toBe(absentMeansTrue.includes(field.name));
    expect(sent === false && absentMeansTrue.includes(field.name)).toBe(false);
  },
);

test.each(['productFilter', 'locationFilter'])(
  'a %s that is switched on in the form begins as one that includes',
  (name) => {
    for (const collection of ['offers', 'rewards'] as const) {
      const filter = createFields(document, collection).find((field) => field.name === name);
      const fields = filter?.shape.kind === 'object' ? filter.shape.fields : [];
      expect(initialOf(fields)).toMatchObject({ isIncluded: true });
    }
  },
);
