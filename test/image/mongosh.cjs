// Runs a script as mongosh does, as far as compose/mongo.js needs it: node mongosh.cjs <address> <script>.
const { mongo } = require('mongoose');

const [, , address, script] = process.argv;
let client = new mongo.MongoClient(address, { serverSelectionTimeoutMS: 5000 });

globalThis.db = {
  getSiblingDB: (name) => ({
    runCommand: (command) => client.db(name).command(command),
    async auth({ user, pwd, mechanism }) {
      const auth = { username: user, password: pwd };
      const known = new mongo.MongoClient(address, { auth, authSource: name, authMechanism: mechanism });
      await known.connect();
      await client.close();
      client = known;
    },
  }),
};

require(script);
