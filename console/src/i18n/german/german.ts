import { app } from './app';
import { definitions } from './definitions';
import { fields } from './fields';
import { frame } from './frame';

/** Every message in German. */
export const german = { ...frame, ...app, ...definitions, fields };
