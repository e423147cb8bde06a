/** Connects a process through the proxies of a test: PROXIED_PORTS is a list like `27017=30001,27018=30002`. */
const { Socket } = require('node:net');

const pairs = (process.env.PROXIED_PORTS ?? '').split(',').map((pair) => pair.split('=').map(Number));
const proxyOf = new Map(pairs);
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectThroughProxy(...args) {
  // `net.connect` hands on a list whose first element is the options.
  const [given] = args;
  const options = Array.isArray(given) ? given[0] : given;
  const port = proxyOf.get(Number(options?.port));
  if (port !== undefined) {
    const changed = { ...options, port };
    if (Array.isArray(given)) given[0] = changed;
    else args[0] = changed;
  }
  return connect.apply(this, args);
};
