// With `node --require` of this file, Node runs the TypeScript sources. Tests use it to start processes, which take most
// modules from what another process has compiled.
require('./translateTypeScript.cjs');
require('./compiledModules.cjs').useCompiled();
if (process.env.UNKEYED_COMMANDS) require('./shardKeys/watchCommands.ts').watchCommands();
