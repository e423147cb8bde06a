import { text } from '#base/schema/atoms';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

const params = { segment: text(200, { description: 'Name of a static segment' }) };
const names = ({ segment }: { segment: string }) => [{ at: 'segment', kind: 'staticSegment' as const, name: segment }];

/** Puts the member into a static segment. */
export const addSegment = defineAction({
  type: 'addSegment',
  description: 'Puts the member into a static segment; rules of lower priority see it',
  params,
  names,
  onCancel: 'stays',
  words: {
    en: ({ segment }) => `put the member into the segment ${valueText(segment)}`,
    de: ({ segment }) => `Mitglied in das Segment ${germanValue(segment)} aufnehmen`,
  },
  effects: ({ type, segment }) => [{ type, segment }],
  apply: (target, effect, rule) => target.changeSegment({ ...effect, isIn: true }, rule),
});

/** Takes the member out of a static segment. */
export const removeSegment = defineAction({
  type: 'removeSegment',
  description: 'Takes the member out of a static segment',
  params,
  names,
  onCancel: 'stays',
  words: {
    en: ({ segment }) => `take the member out of the segment ${valueText(segment)}`,
    de: ({ segment }) => `Mitglied aus dem Segment ${germanValue(segment)} nehmen`,
  },
  effects: ({ type, segment }) => [{ type, segment }],
  apply: (target, effect, rule) => target.changeSegment({ ...effect, isIn: false }, rule),
});
