import englishMessages from 'ra-language-english';
import { app } from './app';
import { audit } from './audit';
import { definitions } from './definitions';
import { fields } from './fields';
import { memberFields, members } from './members';
import { operations } from './operations';
import { overview } from './overview';

/** Every message in English. */
export const english = {
  ...englishMessages,
  ...app,
  ...definitions,
  ...operations,
  ...overview,
  ...audit,
  ...members,
  fields: { ...fields, ...memberFields },
};
