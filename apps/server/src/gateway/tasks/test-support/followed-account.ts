import type { TaskPlatform } from '@tollgate/api'
import type { Provider, TaskReport } from '@tollgate/providers'
import { silentLogger } from '../../../billing/test-support/charges.ts'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import type { OpenTaskRow } from '../../../store/work/tasks.ts'
import type { UpstreamQuestion, Upstreams } from '../../../upstream/upstreams.ts'
import { AccountPoller, pollTickMs } from '../polling/account-poller.ts'
import { TaskDeadlines } from '../polling/task-deadlines.ts'
import { settableClock } from './task-world.ts'

const hour = 3_600_000
const limits = { dispatchMs: 600_000, finishMs: hour, unreachableMs: 24 * hour }

interface Response {
  readonly status: number
  readonly body: string
}

interface FollowedAccount {
  readonly provider: Provider
  readonly platform: TaskPlatform
  readonly model: string
  readonly references: readonly string[]
  /** Returns the response of the upstream. */
  readonly response: (question: UpstreamQuestion) => Response
}

/** Open tasks of one account, over memory, and what becomes of them as time goes by. */
export function followAccount({ provider, platform, model, references, response }: FollowedAccount) {
  const clock = settableClock()
  const open = new Map<number, OpenTaskRow>()
  /** Tasks that have ended, and how. */
  const ended: { readonly reference: string; readonly state: TaskReport['state'] }[] = []
  let lastId = 0
  let questions = 0

  function submit(reference: string): void {
    lastId += 1
    const row = { id: lastId, reference, upstreamModel: model, submittedMs: clock.ms, updatedMs: clock.ms }
    open.set(lastId, row)
  }
  for (const reference of references) submit(reference)

  function ask(question: UpstreamQuestion): ReturnType<Upstreams['ask']> {
    questions += 1
    const { status, body } = response(question)
    async function* chunks() {
      yield { value: Buffer.from(body) }
    }
    const parts = chunks()
    const read = async () => ({ value: (await parts.next()).value?.value })
    const httpResponse = { status, headers: () => ({}), buffered: async () => Buffer.from(body), read }
    const exchange = { response: Promise.resolve(httpResponse), abort() {} }
    return exchange as unknown as ReturnType<Upstreams['ask']> // What is read of one.
  }

  async function reportAll(reports: ReadonlyMap<number, TaskReport>) {
    for (const [id, { state }] of reports) {
      if (state !== 'SUCCESS' && state !== 'FAILURE') continue
      ended.push({ reference: open.get(id)?.reference ?? '', state })
      open.delete(id)
    }
    return { changed: reports.size, failed: new Map<number, unknown>() }
  }

  const account = () => ({ channelId: 1, platform, keyHash: '', count: open.size, latestMs: clock.ms })
  const listed = (afterId: number) => [...open.values()].filter(({ id }) => id > afterId).slice(0, 10_000)
  const turn = new AccountPoller(account(), {
    tasks: { listOpen: async (_, { afterId }) => listed(afterId) },
    taskStore: { reportAll },
    channels: { snapshot: buildSnapshot([routedChannel({ id: 1, provider, keys: ['ak|sk'] })], []) },
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
    requested: () => questions,
    submit(reference: string) {
      submit(reference)
      turn.follow(account())
    },
    /** Lets time go by, as the poller looks. */
    async pass(ms: number, everyMs = pollTickMs): Promise<void> {
      const end = clock.ms + ms
      while (clock.ms < end) {
        clock.ms += everyMs
        if (turn.isDue()) await turn.serve(new AbortController().signal)
      }
    },
  }
}
