import { notFound } from '#base/common/errors';
import { simulationResult } from '#engine/rules/simulate/simulationResult';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { readPathId } from '#platform/http/collection/readPathId';
import { defineRoute, ok, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { storedRecord } from '#platform/recordWrites/storedRecord';
import { readLimits } from '#publishing/rulesets/files/readFiles';
import { simulationResource } from './simulation';
import { simulateBody, startSimulation } from './startSimulation';

const startRoute = defineRoute({
  method: 'POST',
  path: '/rules/simulate',
  tag: 'Simulations',
  permission: 'rules:simulate',
  summary: 'Simulate changed rules over past activities',
  description:
    'Nothing is published. The answer is a job: read it at its Location until status is Done or Failed; DELETE ends it. ' +
    'Faults of the rules give 422 with file:line:column. For single rules, the file is <program code>/rules.json.',
  body: simulateBody,
  key: 'withEffect',
  bodyMaxBytes: readLimits.totalMaxBytes,
  responses: { 202: simulationResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [429],
  handle: startSimulation,
});

const resultRoute = defineRoute({
  method: 'GET',
  path: '/simulations/:id/result',
  permission: simulationResource.permissions.read,
  summary: 'Download the result of a simulation as a file',
  responses: { 200: simulationResult },
  answerHeaders: { 200: ['Content-Disposition'] },
  async handle(request) {
    const id = readPathId(request);
    const { result } = await storedRecord(simulationResource, request, id);
    if (!result) throw notFound('Result');
    return ok(result, { 'Content-Disposition': `attachment; filename="simulation-${id}.json"` });
  },
});

/** Routes of simulations. */
export const simulationRoutes: Route[] = [
  startRoute,
  resultRoute,
  ...collectionRoutes(defineWrites(simulationResource), {
    operations: ['list', 'count', 'read', 'delete'],
  }),
];
