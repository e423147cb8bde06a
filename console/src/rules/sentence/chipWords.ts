import { isObject } from '../schema/fieldShape';
import { amountWords } from './amountWords';
import { datesWords, periodWords } from './periodWords';
import type { Chip } from './sentence';
import type { Wording } from './wording';

/** The words of a part of the sentence, without the words before it. */
export function chipWords({ kind, value }: Chip, wording: Wording): string {
  const parts = isObject(value) ? value : {};
  switch (kind) {
    case 'whom':
      return whomWords(parts, wording);
    case 'action':
      return actionWords(parts, wording);
    case 'hours':
      return hoursWords(parts, wording);
    case 'effective':
      return datesWords(parts, wording);
    case 'occasion':
      return listWords(value, wording, wording.choiceLabel);
    case 'product':
    case 'condition':
      return conditionWords(parts, wording);
    case 'conditions':
      return wording.translate('rules.sentence.ownConditions');
    case 'limit':
      return limitWords(parts, wording);
    case 'budget':
      return wording.translate('rules.sentence.budget', {
        points: Number(parts.points).toLocaleString(wording.locale),
      });
    default:
      return kind satisfies never;
  }
}

function whomWords({ tiers, segments }: Parts, wording: Wording): string {
  const [levels, groups] = [listWords(tiers, wording), listWords(segments, wording)];
  const key = levels === '' ? (groups === '' ? 'everyone' : 'inSegments') : groups === '' ? 'atLevels' : 'both';
  return wording.translate(`rules.sentence.whom.${key}`, { levels, groups });
}

/** What an action does: points in words, and of others the names that they have. */
function actionWords({ type, ...params }: Parts, wording: Wording): string {
  const purse = typeof params.purse === 'string' ? params.purse : '';
  if (type === 'addPoints') return amountWords(params.points, purse, wording);
  const label = wording.translate(`rules.actions.${String(type)}`, { _: String(type) });
  const names = Object.entries(params).flatMap(([name, value]) =>
    name === 'points'
      ? [amountWords(value, purse, wording)]
      : typeof value === 'string' && name !== 'purse'
        ? [value]
        : [],
  );
  return names.length === 0 ? label : `${label}: ${names.join(', ')}`;
}

function hoursWords({ days, from, to, clock }: Parts, wording: Wording): string {
  const { translate } = wording;
  const weekdays = listWords(days, wording, (day) => translate(`rules.sentence.weekdays.${day}`, { _: day }));
  const hours =
    from === undefined && to === undefined
      ? ''
      : translate('rules.sentence.hours', { from: String(from ?? '00:00'), to: String(to ?? '24:00') });
  const ofPlace = clock === 'location' ? translate('rules.sentence.ofPlace') : '';
  return [weekdays, hours, ofPlace].filter((part) => part !== '').join(' ');
}

/** A comparison in words; what is no comparison, such as a group, is called so. */
function conditionWords(condition: Parts, { translate, factLabel, operatorLabel }: Wording): string {
  const { fact, operator, value } = condition;
  if (typeof fact !== 'string' || typeof operator !== 'string')
    return typeof condition.condition === 'string' ? condition.condition : translate('rules.sentence.group');
  if (operator === 'isEmpty')
    return `${factLabel(condition)} ${translate(value === false ? 'rules.sentence.filled' : 'rules.sentence.empty')}`;
  return `${factLabel(condition)} ${operatorLabel(condition)} ${valueWords(value, { translate, factLabel })}`;
}

function valueWords(value: unknown, wording: Pick<Wording, 'translate' | 'factLabel'>): string {
  if (Array.isArray(value)) return value.map((each) => valueWords(each, wording)).join(', ');
  if (typeof value === 'boolean') return wording.translate(`ra.boolean.${value}`);
  if (!isObject(value)) return String(value);
  return typeof value.fact === 'string' ? wording.factLabel(value) : JSON.stringify(value);
}

function limitWords({ what, per, period, max }: Parts, wording: Wording): string {
  const { translate, locale } = wording;
  const words = translate(`rules.sentence.limit.${String(what)}`, {
    _: String(what),
    max: Number(max).toLocaleString(locale),
    period: periodWords(period, wording),
  });
  const holder = translate(`rules.sentence.per.${String(per)}`, { _: '' });
  return holder === '' ? words : `${words} ${holder}`;
}

type Parts = Readonly<Record<string, unknown>>;

/** Names in a list: `Gold, Platinum or VIP`. */
function listWords(names: unknown, { locale }: Wording, say = (name: string) => name): string {
  const all = Array.isArray(names) ? names.map((name) => say(String(name))) : [];
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(all);
}
