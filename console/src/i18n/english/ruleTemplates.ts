/** What a new rule may begin with, in English: a name, and what it does. */
export const templates = {
  base: { name: 'Base points', text: 'Points for what is spent' },
  product: { name: 'More for products', text: 'More points on the lines of a category, brand or list' },
  day: { name: 'More on a day', text: 'More points on Tuesdays, or in some hours' },
  level: { name: 'More for a level', text: 'Members of a level get half as much again' },
  welcome: { name: 'Welcome', text: 'Points for joining' },
  birthday: { name: 'Birthday', text: 'Points on the morning of the birthday, once a year' },
  goal: { name: 'Spend goal', text: 'Points when the month reaches a sum' },
  stamps: { name: 'Stamp card', text: 'Points at every tenth visit' },
  winBack: { name: 'Win back', text: 'Points for coming again after 60 days' },
  partner: { name: 'Partner', text: 'More points at a partner' },
  empty: { name: 'Empty rule', text: 'Written from the start' },
};
