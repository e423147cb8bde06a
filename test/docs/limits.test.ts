import { bulkMax } from '#activities/post/postBulk';
import { admissionLimits } from '#base/limits/admission';
import { queryLimits } from '#base/query/queryLimits';
import { depthMax, freeValuesMax } from '#base/schema/freeObject';
import { nameMax, textMax } from '#base/schema/textFaults';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import { fileMaxBytes } from '#engine/rules/source/jsonSource';
import { importLimits } from '#exchange/imports/importLimits';
import { delivererLimits } from '#exchange/webhooks/deliver/createDeliverer';
import { deliverLimits } from '#exchange/webhooks/deliver/deliverWebhook';
import { transportLimits } from '#exchange/webhooks/deliver/transport';
import { waitingLimits } from '#exchange/webhooks/schedule';
import { loginLimits } from '#platform/auth/loginThrottle';
import { serveLimits } from '#platform/http/serveLimits';
import { settings } from '#platform/infrastructure/settings';
import { apiKeysMax, secretsMax } from '#records/users/apiKey';
import { webhookLimits } from '#records/webhooks/webhook';
import { read } from './pages';

const rows = read('docs/limits.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));
const figure = (count: number) => count.toLocaleString('en');
const mb = (bytes: number) => `${bytes / 2 ** 20} MB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const { MAX_CONNECTIONS, BODY_LIMIT, IMPORT_MAX_MB } = settings.properties;

test.each([
  ['request body', [BODY_LIMIT.default?.replace('mb', ' MB')]],
  ['imported file', [`${IMPORT_MAX_MB.default / 1024} GB`, mb(importLimits.rowMaxBytes), figure(importLimits.rowsMax)]],
  ['imported file', [`${importLimits.uploadsAtOnce} uploads`, `${importLimits.openMax} open`]],
  ['upload of an import', [`${importLimits.paceMinBytes / 1024} KB in ${seconds(importLimits.paceMs)}`]],
  ['bulk post', [`${figure(bulkMax)} activities`]],
  ['values in a body', [`; ${depthMax}`]],
  ['values in a free field', [figure(freeValuesMax)]],
  ['text', [figure(textMax)]],
  ['name of a field in `ext`', [figure(nameMax)]],
  ['connections', [figure(MAX_CONNECTIONS.default)]],
  ['requests that wait on one connection', [figure(serveLimits.pipelinedMax)]],
  ['time for the headers', [seconds(serveLimits.headersMs), `${serveLimits.requestMs / 60_000} minutes`]],
  ['idle connection', [seconds(serveLimits.keepAliveMs)]],
  ['connection whose client reads nothing', [seconds(serveLimits.stalledMs)]],
  ['time for requests in flight at the end', [seconds(serveLimits.closeMs)]],
  ['failed logins', [`${loginLimits.nameMax} for a username`, `${loginLimits.addressMax} for an address`]],
  ['API keys of an org', [`${figure(apiKeysMax)} / ${secretsMax}`]],
  ['activities that wait', [figure(admissionLimits.waitingMax)]],
  ['list of a collection', [`1 to ${figure(queryLimits.limitMax)}`, `default ${queryLimits.limitDefault}`]],
  ['`query`', [`${queryLimits.argumentMaxBytes / 1024} KB`, `${queryLimits.depthMax} levels`]],
  ['`query`', [`${queryLimits.nodesMax} nodes`, `${queryLimits.regexesMax} regular`, seconds(queryLimits.timeMaxMs)]],
  ['webhooks of an org', [`${webhookLimits.perOrg}; ${deliverLimits.inFlight}, ${delivererLimits.inFlight}`]],
  ['deliveries of a webhook that wait', [figure(waitingLimits.waitingMax)]],
  ['attempt to deliver to a webhook', [seconds(transportLimits.attemptMs)]],
  ['rule file / rules of an org', [`${mb(fileMaxBytes)} / ${figure(rulesMax)}`]],
])('the limit of "%s" is that of the code: %j', (name, figures) => {
  const [, limit] = rows.find(([what]) => what?.startsWith(name)) ?? [];
  expect(figures.filter((each) => each === undefined || !limit?.includes(each))).toEqual([]);
});
