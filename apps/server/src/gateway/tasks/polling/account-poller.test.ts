import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Provider, providers } from '@tollgate/providers'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { followAccount } from '../test-support/followed-account.ts'
import { midjourneyProvider, pollingOf } from '../test-support/task-world.ts'

// Thousands of calls, beside other files on the same cores.
setDefaultTimeout(deadline(30_000))

const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)

/** Tasks at an upstream that fails for odd ones, and has finished all others. */
function crowd(batch: number, references: readonly string[]) {
  return followAccount({
    provider: midjourneyProvider(pollingOf(batch)),
    platform: 'mj',
    model: 'm',
    references,
    response({ body }) {
      const requested = JSON.parse(String(body)) as string[]
      if (requested.some((reference) => reference.startsWith('odd')))
        return { status: 500, body: 'out of order' }
      const reports = requested.map((reference) => [reference, { state: 'SUCCESS' }])
      return { status: 200, body: JSON.stringify(Object.fromEntries(reports)) }
    },
  })
}

describe('ten thousand tasks of which some are odd', () => {
  it('need few polls where one poll names them all', async () => {
    const references = many('good', 10_000)
    references.splice(7000, 1, 'odd')
    const { ended, requested, pass } = crowd(10_000, references)
    await pass(60_000)
    expect(ended).toHaveLength(9999)
    expect(requested()).toBeLessThan(80)
  })

  it('do not delay the others once they are known, and need few polls', async () => {
    const { ended, requested, pass, submit } = crowd(1, many('odd', 10_000))
    await pass(20 * 60_000)
    expect(requested()).toBeGreaterThan(10_000)
    const before = requested()
    submit('good')
    await pass(10_000)
    expect(ended).toEqual([{ reference: 'good', state: 'SUCCESS' }])
    expect(requested() - before).toBeLessThan(120)
  })

  it('are polled at most ten times a second', async () => {
    const { requested, pass } = crowd(1, many('good', 10_000))
    await pass(60_000)
    expect(requested()).toBeGreaterThan(300)
    expect(requested()).toBeLessThan(620)
  })
})

/** The life of a video in its provider's fixtures. */
interface Life {
  readonly model: string
  readonly reference: string
  readonly polls: readonly {
    readonly requested: { readonly path: string }
    readonly answer: unknown
    readonly report?: { readonly state?: string }
  }[]
}

const providersFolder = join(import.meta.dir, '../../../../../../packages/providers/src/vendors')

/** A life that ends with a video, where the provider's fixtures have one. */
function finishedLife({ id }: Provider): Life | undefined {
  const folder = join(providersFolder, id, 'fixtures')
  const names = readdirSync(folder).filter((name) => /^video-.*\.json$/.test(name))
  const lives = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Life)
  return lives.find((life) => life.polls?.some(({ report }) => report?.state === 'SUCCESS'))
}

/** The texts of a value as `change` has them. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, change)]))
}

const oddities: Readonly<Record<string, (finished: unknown) => { status: number; body: string }>> = {
  'a word that nobody knows': (finished) => ({
    status: 200,
    body: JSON.stringify(withTexts(finished, () => 'pondering')),
  }),
  'no address': (finished) => ({
    status: 200,
    body: JSON.stringify(withTexts(finished, (text) => (text.startsWith('http') ? '' : text))),
  }),
  'nothing to read': () => ({ status: 200, body: '{}' }),
  'half a text': () => ({ status: 200, body: '{"data":' }),
  'a task that is not known': () => ({ status: 404, body: '{"error":{"message":"no such task"}}' }),
  'a page of a proxy': () => ({ status: 404, body: '<html>' }),
  'a breakdown': () => ({ status: 500, body: '{"error":{"message":"no"}}' }),
}

const makers = providers.filter((provider) => provider.tasks?.video !== undefined)

describe.each(makers.map(({ id }) => id))('videos of %s', (id) => {
  const provider = makers.find((maker) => maker.id === id) as Provider
  const life = finishedLife(provider) as Life

  it.each(Object.keys(oddities))('end before and behind one of which the upstream says: %s', async (name) => {
    const finished = life.polls.filter(({ report }, index) => {
      const next = life.polls[index + 1]
      return report?.state === 'SUCCESS' || (report === undefined && next?.report?.state === 'SUCCESS')
    })
    const failing = `${life.reference}9`
    const { ended, pass, submit } = followAccount({
      provider,
      platform: 'video',
      model: life.model,
      references: [life.reference, failing, life.reference],
      response({ endpoint, body }) {
        const isOdd = `${endpoint.url} ${body}`.includes(`${life.reference.split('/').at(-1)}9`)
        const step = finished.find(({ requested }) =>
          endpoint.url.endsWith(requested.path.split('/').at(-1) ?? ''),
        )
        const response = (step ?? finished.at(-1))?.answer
        return (isOdd && oddities[name]?.(response)) || { status: 200, body: JSON.stringify(response) }
      },
    })
    await pass(60_000)
    const made = { reference: life.reference, state: 'SUCCESS' } as const
    expect(ended.filter(({ reference }) => reference !== failing)).toEqual([made, made])
    await pass(3_600_000, 10_000)
    submit(life.reference)
    await pass(20 * 60_000, 5000)
    expect(ended.map(({ reference }) => reference).sort()).toEqual([
      ...Array(3).fill(life.reference),
      failing,
    ])
  })
})
