// A Postman collection of an OpenAPI document, whose requests can be sent as they are.
import postman from 'openapi-to-postmanv2';

/** A collection with a folder for each tag, and the examples of the document. */
export async function postmanCollection(text) {
  const collection = await converted(text);
  const document = JSON.parse(text);
  for (const { request, response, event } of requestsOf(collection)) {
    makeSendable(request, document);
    for (const { originalRequest } of response ?? []) makeSendable(originalRequest, document);
    if (isOf(request, 'POST', '/api/v1/login')) event.push(storeToken);
  }
  collection.variable = [
    { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
    { key: 'bearerToken', value: '', description: 'An API key, or the token that the request "Log in" stores here' },
  ];
  return collection;
}

/** All requests of a collection, whatever folder they are in. */
function requestsOf({ item = [], ...own }) {
  return own.request ? [own] : item.flatMap(requestsOf);
}

function converted(data) {
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example', requestNameSource: 'Fallback' };
  // It prints what it cannot merge, and goes on with the parts.
  const { error: printError, warn } = console;
  Object.assign(console, { error: () => undefined, warn: () => undefined });
  return new Promise((resolve, reject) => {
    postman.convertV2({ type: 'string', data }, options, (error, made) => {
      Object.assign(console, { error: printError, warn });
      if (error || !made.result) reject(error ?? new Error(made.reason));
      else resolve(made.output[0].data);
    });
  });
}

/** The template of the document for a request: Postman writes `:id` for `{id}`. */
function templateOf({ url }) {
  return `/${url.path.map((step) => step.replace(/^:(.*)$/, '{$1}')).join('/')}`;
}

function isOf(request, method, template) {
  return request.method === method && templateOf(request) === template;
}

/** Switches optional arguments off, gives the required ones a value that works, and each post a key of its own. */
function makeSendable(request, { paths }) {
  const { parameters = [] } = paths[templateOf(request)]?.[request.method.toLowerCase()] ?? {};
  for (const argument of request.url.query ?? []) fill(argument, 'query', parameters);
  for (const header of request.header ?? []) fill(header, 'header', parameters);
}

function fill(field, place, parameters) {
  const parameter = parameters.find((each) => each.in === place && each.name === field.key);
  if (!parameter) return;
  const isKey = field.key === 'Idempotency-Key';
  field.disabled = !parameter.required && !isKey;
  if (isKey) field.value = '{{$guid}}';
  else if (parameter.required) field.value = exampleOf(parameter);
}

function exampleOf({ schema, content }) {
  if (content) return JSON.stringify(Object.values(content)[0].example);
  return String(schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? '');
}

/** After a login, its token is the one that the other requests send. */
const storeToken = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["if (pm.response.code === 200) pm.collectionVariables.set('bearerToken', pm.response.json().token);"],
  },
};
