import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { silentLogger } from '../../../billing/test-support/charges.ts'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { startUpstreamWorld } from '../../../upstream/test-support/upstream-world.ts'
import { startPolledUpstream } from '../test-support/polled-upstream.ts'
import {
  midjourneyProvider,
  openTaskNode,
  openTaskWorld,
  pollingOf,
  settableClock,
  submitted,
} from '../test-support/task-world.ts'
import { TaskDeadlines } from './task-deadlines.ts'
import { TaskPoller } from './task-poller.ts'

const limits = { dispatchMs: 600_000, finishMs: 3_600_000, unreachableMs: 86_400_000 }

describe.skipIf(!hasPostgres())('two nodes on one PostgreSQL', () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  /** Two processes as far as tasks know them, with a user whose tasks one upstream works on. */
  async function openFleet() {
    const databaseUrl = await postgres.createDatabase()
    const clock = settableClock()
    const first = await openTaskWorld({ databaseUrl, clock })
    const second = await openTaskNode({ databaseUrl, clock })
    const way = startUpstreamWorld()
    const upstream = startPolledUpstream()
    const provider = midjourneyProvider(pollingOf(100))
    const channel = routedChannel({ id: first.channelId, provider, baseUrl: upstream.url, keys: ['k'] })
    const pollerOf = ({ store, taskStore }: Pick<typeof first, 'store' | 'taskStore'>) =>
      new TaskPoller({
        tasks: store.tasks,
        taskStore,
        channels: { snapshot: buildSnapshot([channel], []) },
        isGone: async () => false,
        upstreams: way.upstreams,
        hashKey: (key) => `hash of ${key}`,
        clock,
        monotonic: clock,
        deadlines: new TaskDeadlines(limits, clock),
        roundMs: 10_000,
        logger: silentLogger,
      })
    const pollers = [pollerOf(first), pollerOf(second)] as const
    const term = new AbortController().signal
    return {
      first,
      second,
      upstream,
      pollers,
      /** Lets the living poller that has the lease look, as jobs of the fleet run. */
      async lookAfter(ms: number, living: readonly TaskPoller[] = pollers) {
        clock.ms += ms
        for (const poller of living) {
          const leases = await first.store.leases.take(['tasks'], `${pollers.indexOf(poller)}`, 60_000)
          if (leases.length > 0) await poller.look(term)
          await poller.idle()
        }
      },
      async close() {
        for (const poller of pollers) await poller.close()
        upstream.stop()
        way.close()
        await second.close()
        await first.close()
      },
    }
  }

  it('ask about a task once, and the other one goes on when the first is gone', async () => {
    const fleet = await openFleet()
    const going = { state: 'IN_PROGRESS' } as const
    fleet.upstream.said.reports = { a: going, b: going, c: going }
    for (const reference of ['a', 'b', 'c']) await submitted(fleet.first, { reference })
    for (let turn = 0; turn < 6; turn += 1) await fleet.lookAfter(2100)
    const requested = fleet.upstream.seen.flatMap(({ references }) => references.join())
    expect(requested[0]).toBe('a,b,c')
    expect(requested.length).toBeLessThanOrEqual(6)
    const [gone, left] = fleet.pollers
    await gone.close()
    await fleet.first.store.leases.give(['tasks'], '0')
    for (let turn = 0; turn < 4; turn += 1) await fleet.lookAfter(11_000, [left])
    expect(fleet.upstream.seen.length).toBeGreaterThan(requested.length)
    expect(await fleet.first.isBalanced()).toBe(true)
    await fleet.close()
  })

  it('end a task once, whichever of them gets the report first', async () => {
    const fleet = await openFleet()
    const { first, second } = fleet
    const tasks = []
    for (let index = 0; index < 6; index += 1) tasks.push(await submitted(first, { reference: `r${index}` }))
    const success = { state: 'SUCCESS' } as const
    const failure = { state: 'FAILURE', failReason: 'no' } as const
    const telling = tasks.flatMap(({ id }) => [
      first.taskStore.report(id, success),
      second.taskStore.report(id, failure),
    ])
    await Promise.all(telling)
    const ended = await Promise.all(tasks.map(({ id }) => first.store.tasks.find(id)))
    const paid = ended.filter((task) => task?.status === 'SUCCESS').length * 100
    expect(ended.every((task) => task?.quota === (task?.status === 'SUCCESS' ? 100 : 0))).toBe(true)
    expect(await first.balances()).toEqual([1000 - paid, 900 - paid])
    expect(await first.rows()).toHaveLength(6)
    expect(await first.isBalanced()).toBe(true)
    await fleet.close()
  })
})
