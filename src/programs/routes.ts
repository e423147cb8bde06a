import { collectionRoutes } from '../http/collection/collection';
import { allOperations } from '../http/collection/collectionOptions';
import type { Route } from '../http/route';
import { rewardResource } from '../records/offers/reward';
import { programResource } from '../records/programs/program';
import { pursePolicyResource } from '../records/programs/pursePolicy';
import { keepTimezone } from './keepTimezone';
import { preparePolicy } from './preparePolicy';
import { prepareProgram } from './prepareProgram';

/** Programs and the purse policies of each (DESIGN 12). */
export const programRoutes: Route[] = [
  ...collectionRoutes(programResource, { operations: allOperations, prepare: prepareProgram, along: keepTimezone }),
  ...collectionRoutes(pursePolicyResource, {
    operations: allOperations,
    prepare: (body, { request }) => preparePolicy(body, request),
    uses: {
      by: ['name'],
      find: ({ program, name }) => [{ in: rewardResource, path: 'cost.purse', where: { program, 'cost.purse': name } }],
    },
  }),
];
