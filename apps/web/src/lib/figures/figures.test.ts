import { describe, expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { figures } from './figures.ts'

const source = join(import.meta.dir, '../..')
const toLog = /to(?:="|: ')\/log['"][^<]{0,120}?search(?:=\{|: )(\{\{?[^}]*\}|[\w.?]+)/gs

/**
 * Ways to the log that say no number beside them, by the file they stand in: to one entry, or to all calls of a person, a channel, a key
 * or a model.
 */
const withoutFigure = [
  'features/channels/channel-head.tsx',
  'features/channels/row-actions.tsx',
  'features/logs/cells/row-cells.tsx',
  'features/logs/entry/facts.tsx',
  'features/logs/replay/replay-section.tsx',
  'features/logs/request/request-page.tsx',
  'features/users/key-sheet.tsx',
  'features/models/cells.tsx',
  'features/playground/messages/response.tsx',
  'features/pricing/cells.tsx',
  'features/tokens/row-actions.tsx',
  'features/tokens/sheet.tsx',
  'features/users/money/activity.tsx',
  'features/users/row-actions.tsx',
  'features/wallet/all-orders/row-actions.tsx',

  // What somebody typed into the palette, as filters.
  'components/frame/palette/words/use-log-link.ts',
  // The mend of an incident: the failed calls of the hour, all of them.
  'components/incidents/incident-words.ts',
  // “Why, this hour” opens the panel of causes; the chart of the last hour zooms into all entries of a piece of it.
  'features/dashboard/attention.tsx',
  'features/dashboard/usage/recent-usage.tsx',
]

describe('figures', () => {
  it('have every way to the log that stands at a number', async () => {
    const strangers: string[] = []
    for await (const file of new Glob('{features,components}/**/*.{ts,tsx}').scan(source)) {
      if (file.includes('.test.')) continue
      const text = readFileSync(join(source, file), 'utf8')
      for (const [found, search = ''] of text.matchAll(toLog))
        if (!/\blink\b/.test(search) && !withoutFigure.includes(file)) strangers.push(`${file}: ${found}`)
    }
    expect(strangers).toEqual([])
  })

  it('of attempts are seen by administrators alone, who see channels', () => {
    for (const { population, readers } of Object.values(figures))
      if (population === 'attempts') expect(readers).toBe('administrators')
    const channel = { channel: 4, calls: 2, channel_name: '', ok: 0, faults: figuresOfFaults }
    const link = figures.triedChannel.of(channel, summary).link
    expect(link).toEqual({ tried: 4, range: 'custom', from: 100 })
  })

  it('lead nowhere from a name that an address cannot hold', () => {
    const model = { ok: 0, broken: 0, faults: figuresOfFaults, count: 1, errors: 2 }
    const linkOf = (model_name: string) => figures.failingModel.of({ ...model, model_name }, summary).link
    expect(linkOf('gpt-4o')).toEqual({ type: 5, model: 'gpt-4o', range: 'custom', from: 100 })
    for (const name of ['', '(other)', 'a*', '50%']) expect(linkOf(name)).toBeUndefined()
  })

  it('sum up whole quarter hours, and link to the same', () => {
    const row = {
      user_id: 3,
      username: 'ann',
      model: 'gpt-4o',
      quota: 5,
      count: 1,
      token_used: 1,
      by_model: [5],
    }
    const range = { from: 901, to: 5000, table: { models: [], rows: [] } }
    expect(figures.spentOnModel.of(row, range).link).toEqual({
      type: 2,
      model: 'gpt-4o',
      user: 'ann',
      range: 'custom',
      from: 1800,
      to: 5399,
    })
    // Somebody who is gone has no name to find them by.
    expect(figures.spentOnModel.of({ ...row, username: '' }, range).link).toBeUndefined()
  })
})

const figuresOfFaults = { upstream: 1, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
const totals = { count: 0, errors: 0, quota: 0, token_used: 0 }
const ended = { ok: 0, broken: 0, faults: figuresOfFaults }
const summary = {
  since: { today: 200, week: 100 },
  today: totals,
  week: totals,
  top_models: [],
  calls: { today: ended, week: ended },
  failing_models: [],
  more_failing_models: 0,
}

it('links nothing for a node of the version before that does not say when the days begin', () => {
  const totals = { count: 3, errors: 1, quota: 0, token_used: 0 }
  const summary = { today: totals, week: totals, top_models: [] }
  expect(figures.failedToday.of(undefined, summary)).toEqual({ value: 1, link: undefined })
  expect(figures.failingModel.items(summary)).toEqual([])
  expect(figures.rescuedToday.of(undefined, summary)).toEqual({ value: 0, link: undefined })
})
