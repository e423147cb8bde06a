import englishMessages from 'ra-language-english';
import { app } from './app';
import { audit } from './audit';
import { definitions } from './definitions';
import { facts } from './facts';
import { fields } from './fields';
import { memberFields, members } from './members';
import { operations } from './operations';
import { overview } from './overview';
import { proposals } from './proposals';
import { ruleSets } from './ruleSets';
import { rules } from './rules';

/** Every message in English. */
export const english = {
  ...englishMessages,
  ra: { ...englishMessages.ra, notification: { ...englishMessages.ra.notification, created: 'Created' } },
  ...app,
  ...definitions,
  ...operations,
  ...overview,
  ...audit,
  ...rules,
  ...ruleSets,
  ...proposals,
  ...members,
  facts,
  fields: { ...fields, ...memberFields },
};
