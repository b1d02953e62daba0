import { logTypes, otherModels } from '@tollgate/api'
import { hoursOf, quartersOf } from '@tollgate/api/calendar'
import { zoneHere } from '../format/reader-clock.ts'
import type { Counted, Feeds, Figure, LogLink, Range } from './figure.ts'

const { error: failed, consumption: charged } = logTypes

function define<Feed extends keyof Feeds, Item>(figure: Figure<Feed, Item>): Figure<Feed, Item> {
  return figure
}

const only = [undefined] as const

/** `undefined` where the node does not say when the time of the figure begins. */
function since(from: number | undefined, filter: Omit<LogLink, 'range' | 'from'>): LogLink | undefined {
  return from === undefined ? undefined : { ...filter, range: 'custom', from }
}

/** Sums are of whole quarter hours. */
function within(range: Range, filter: Omit<LogLink, 'range' | 'from' | 'to'>): LogLink {
  const { from, end } = quartersOf(range)
  return { ...filter, range: 'custom', from, to: end - 1 }
}

/** An address names a model by its exact name, in which these stand for any text; and has none of the empty name. */
function isNameable(model: string): boolean {
  return model !== '' && model !== otherModels && !/[*%]/.test(model)
}

/** Every figure that leads to the rows of the log that it counts. */
export const figures = {
  failedToday: define({
    page: '/detail',
    population: 'calls',
    readers: 'everybody',
    feed: 'summary',
    measure: 'rows',
    items: () => only,
    of: (_, { today, since: start }) => ({
      value: today.errors,
      link: since(start?.today, { type: failed }),
    }),
  }),
  failedInWeek: define({
    page: '/detail',
    population: 'calls',
    readers: 'everybody',
    feed: 'summary',
    measure: 'rows',
    items: () => only,
    of: (_, { week, since: start }) => ({ value: week.errors, link: since(start?.week, { type: failed }) }),
  }),
  rescuedToday: define({
    page: '/detail',
    population: 'calls',
    readers: 'administrators',
    feed: 'summary',
    measure: 'rows',
    items: () => only,
    of: (_, { rescued, since: start }) => ({
      value: rescued?.today ?? 0,
      link: since(start?.today, { rescued: true }),
    }),
  }),
  failingModel: define({
    page: '/detail',
    population: 'calls',
    readers: 'everybody',
    feed: 'summary',
    measure: 'rows',
    items: ({ failing_models = [] }) => failing_models,
    of: ({ model_name: model, errors }, { since: start }) => ({
      value: errors,
      link: isNameable(model) ? since(start?.week, { type: failed, model }) : undefined,
    }),
  }),
  triedChannel: define({
    page: '/detail',
    population: 'calls',
    readers: 'administrators',
    feed: 'summary',
    measure: 'rows',
    items: ({ failing_channels = [] }) => failing_channels,
    of: ({ channel, calls }, { since: start }) => ({
      value: calls,
      link: since(start?.week, { tried: channel }),
    }),
  }),
  usageOfModel: define({
    page: '/detail',
    population: 'charges',
    readers: 'everybody',
    feed: 'usage',
    measure: 'rows',
    items: ({ rows }) => [...new Set(rows.map(({ model_name }) => model_name))],
    of: (model, { rows, granularity, from, to, user }) => {
      const steps = granularity === 'hour' ? hoursOf({ from, to }, zoneHere()) : quartersOf({ from, to })
      const of = { type: charged, model, ...(user !== undefined && { user }) }
      const link = { ...of, range: 'custom', from: steps.from, to: steps.end - 1 } as const
      return {
        value: sum(rows.filter(({ model_name }) => model_name === model).map(({ count }) => count)),
        link: isNameable(model) ? link : undefined,
      }
    },
  }),
  failedRecently: define({
    page: '/detail',
    population: 'calls',
    readers: 'everybody',
    feed: 'recent',
    measure: 'rows',
    items: () => only,
    of: (_, { histogram, from, to, user }) => ({
      value: sum(histogram.steps.map(({ errors }) => errors)),
      link: { type: failed, range: 'custom', from, to, ...(user !== undefined && { user }) },
    }),
  }),
  spentOnModel: define({
    page: '/spend',
    population: 'charges',
    readers: 'administrators',
    feed: 'spend',
    measure: 'quota',
    items: ({ table: { models, rows } }) =>
      rows.flatMap((row) => models.map((model, at) => ({ ...row, model, quota: row.by_model[at] ?? 0 }))),
    of: ({ user_id, username, model, quota }, range): Counted => {
      const isNamed = isNameable(model) && (user_id === 0 || username !== '')
      const user = username === '' ? {} : { user: username }
      return { value: quota, link: isNamed ? within(range, { type: charged, model, ...user }) : undefined }
    },
  }),
  margin: define({
    page: '/detail',
    population: 'charges',
    readers: 'administrators',
    feed: 'margin',
    measure: 'quota',
    items: ({ rows }) => rows,
    of: ({ model_name: model, id, name, quota }, { by, ...range }): Counted => {
      const filters = {
        model: isNameable(model) ? { model } : undefined,
        channel: id === 0 ? undefined : { channel: id },
        user: name === '' ? undefined : { user: name },
      }
      const filter = filters[by]
      return { value: quota, link: filter && within(range, { type: charged, ...filter }) }
    },
  }),
  failedOf: define({
    page: '/user/edit/$id, /token/edit/$id',
    population: 'calls',
    readers: 'everybody',
    feed: 'ended',
    measure: 'rows',
    items: () => only,
    of: (_, { calls, user, key }) => ({
      value: calls.failed_rows,
      link: since(calls.since.week, {
        type: failed,
        ...(user !== undefined && { user }),
        ...(key !== undefined && { key }),
      }),
    }),
  }),
  callsOfGroup: define({
    page: '/group',
    population: 'charges',
    readers: 'administrators',
    feed: 'groups',
    measure: 'rows',
    items: (groups) => groups,
    of: ({ name: group, calls, since: start }) => ({
      value: calls,
      link: since(start, { type: charged, group }),
    }),
  }),
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
