import { describe, expect, it } from 'bun:test'
import type { TaskReport } from '@tollgate/providers'
import { silentLogger } from '../../billing/test-support/charges.ts'
import { buildSnapshot } from '../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../channels/test-support/routed-channel.ts'
import type { OpenTaskRow } from '../../store/task-repository.ts'
import type { UpstreamQuestion, Upstreams } from '../../upstream/upstreams.ts'
import { drawingProvider, pollingOf, settableClock } from '../test-support/task-world.ts'
import { AccountTurn, lookEveryMs } from './account-turn.ts'
import { TaskDeadlines } from './task-deadlines.ts'

const hour = 3_600_000
const limits = { handOverMs: 600_000, finishMs: hour, unreachableMs: 24 * hour }
const account = { channelId: 1, platform: 'mj', keyHash: '' } as const

/** An account with many tasks at an upstream that fails for odd ones, and has finished all others. */
function crowd({ batch, references }: { readonly batch: number; readonly references: readonly string[] }) {
  const clock = settableClock()
  const open = new Map<number, OpenTaskRow>()
  const submit = (reference: string) => {
    const id = open.size + 1
    open.set(id, { id, reference, upstreamModel: 'm', submittedMs: clock.ms, updatedMs: clock.ms })
  }
  for (const reference of references) submit(reference)
  const ended: string[] = []
  let questions = 0

  function ask({ body }: UpstreamQuestion): ReturnType<Upstreams['ask']> {
    questions += 1
    const asked = JSON.parse(String(body)) as string[]
    const isOdd = asked.some((reference) => reference.startsWith('odd'))
    const reports = Object.fromEntries(asked.map((reference) => [reference, { state: 'SUCCESS' }]))
    const text = isOdd ? 'out of order' : JSON.stringify(reports)
    const answer = { status: isOdd ? 500 : 200, headers: () => ({}), whole: async () => Buffer.from(text) }
    const exchange = { answer: Promise.resolve(answer), abort() {} }
    return exchange as unknown as ReturnType<Upstreams['ask']> // What is read of one.
  }

  async function reportAll(reports: ReadonlyMap<number, TaskReport>) {
    for (const id of reports.keys()) {
      ended.push(open.get(id)?.reference ?? '')
      open.delete(id)
    }
    return { changed: reports.size, failed: new Map<number, unknown>() }
  }

  const channel = routedChannel({ id: 1, provider: drawingProvider(pollingOf(batch)), keys: ['k'] })
  const state = () => ({ ...account, count: open.size, latestMs: clock.ms })
  const turn = new AccountTurn(state(), {
    tasks: {
      listOpen: async (_, { afterId }) =>
        [...open.values()].filter(({ id }) => id > afterId).slice(0, 10_000),
    },
    book: { reportAll },
    channels: { snapshot: buildSnapshot([channel], []) },
    isGone: async () => false,
    upstreams: { ask },
    hashKey: () => '',
    clock,
    monotonic: clock,
    deadlines: new TaskDeadlines(limits, clock),
    roundMs: 15_000,
    logger: silentLogger,
  })
  return {
    ended,
    asked: () => questions,
    submit(reference: string) {
      submit(reference)
      turn.follow(state())
    },
    /** Lets time go by, as the poller looks. */
    async pass(ms: number): Promise<void> {
      const end = clock.ms + ms
      while (clock.ms < end) {
        clock.ms += lookEveryMs
        if (turn.isDue()) await turn.serve(new AbortController().signal)
      }
    },
  }
}

const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)

describe('ten thousand tasks of which some are odd', () => {
  it('are asked about in few questions where one question names them all', async () => {
    const references = many('good', 10_000)
    references.splice(7000, 1, 'odd')
    const { ended, asked, pass } = crowd({ batch: 10_000, references })
    await pass(60_000)
    expect(ended).toHaveLength(9999)
    expect(asked()).toBeLessThan(80)
  })

  it('do not keep others from their turn once they are known, and ask for little', async () => {
    const { ended, asked, pass, submit } = crowd({ batch: 1, references: many('odd', 10_000) })
    await pass(20 * 60_000)
    expect(asked()).toBeGreaterThan(10_000)
    const before = asked()
    submit('good')
    await pass(10_000)
    expect(ended).toEqual(['good'])
    expect(asked() - before).toBeLessThan(120)
  })

  it('are asked about at no more than ten times a second', async () => {
    const { asked, pass } = crowd({ batch: 1, references: many('good', 10_000) })
    await pass(60_000)
    expect(asked()).toBeGreaterThan(300)
    expect(asked()).toBeLessThan(620)
  })
})
