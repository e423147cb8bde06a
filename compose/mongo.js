// The health check of MongoDB in docker-compose.yml, run by mongosh in its container. It passes when the server is
// primary and the service's user can log in with the password in the secret mongodb_uri. What is missing for that it
// does first: it initiates the replica set, makes the user, or gives it a changed password.
const { readFileSync } = require('node:fs');
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const { username, password, pathname } = new URL(secret('mongodb_uri'));
const database = pathname.slice(1);
const admin = db.getSiblingDB('admin');
const isPrimary = async () => (await admin.runCommand({ hello: 1 })).isWritablePrimary === true;

async function canLogIn() {
  try {
    await admin.auth({ user: username, pwd: decodeURIComponent(password), mechanism: 'SCRAM-SHA-256' });
    return true;
  } catch {
    return false;
  }
}

// Whoever holds the key is a member of the replica set and may do anything. So no user has to exist before.
async function logInAsMember() {
  await db.getSiblingDB('local').auth({ user: '__system', pwd: secret('mongodb_key'), mechanism: 'SCRAM-SHA-256' });
}

async function initiate() {
  try {
    await admin.runCommand({ replSetGetStatus: 1 });
  } catch (error) {
    if (error.codeName !== 'NotYetInitialized') throw error;
    const members = [{ _id: 0, host: 'mongo:27017' }];
    await admin.runCommand({ replSetInitiate: { _id: 'loyalty', members } });
  }
}

async function setUser() {
  const { users } = await admin.runCommand({ usersInfo: username });
  await admin.runCommand({
    [users.length === 0 ? 'createUser' : 'updateUser']: username,
    pwd: decodeURIComponent(password),
    roles: ['readWrite', 'dbAdmin'].map((role) => ({ role, db: database })),
    mechanisms: ['SCRAM-SHA-256'],
  });
}

async function becomePrimary() {
  await initiate();
  for (let n = 0; n < 20; n += 1) {
    if (await isPrimary()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('not primary yet');
}

async function check() {
  if ((await isPrimary()) && (await canLogIn())) return;
  await logInAsMember();
  await becomePrimary();
  await setUser();
}

check().then(
  () => process.exit(0),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
