import englishMessages from 'ra-language-english';
import { app } from './app';
import { definitions } from './definitions';
import { fields } from './fields';

/** Every message in English. */
export const english = { ...englishMessages, ...app, ...definitions, fields };
