import { afterEach, describe, expect, it } from 'bun:test'
import { until } from '../../../../../tests/support/until.ts'
import type { FleetMessages } from '../../fleet/messages.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import { type ChannelRunControl, ChannelRunner } from './channel-runner.ts'
import { createFleetRun, type FleetRun } from './fleet-run.ts'

const times = { beatMs: 10, goneMs: 200, cancelMs: 1000 }
const channels = [1, 2, 3].map((id) => ({ id }) as RoutedChannel)

interface Node {
  readonly run: FleetRun<string>
  /** The work on one channel of its run ends. */
  finishOne(): void
  /** It is not heard of any more, and prolongs nothing. */
  vanish(): void
}

/** Nodes over leases and messages in memory, each with three channels to work on. */
function fleet() {
  const handlers = new Map<string, (message: unknown) => void>()
  const lease = { holder: '', until: 0 }
  return (node: string): Node => {
    let isGone = false
    const messages: FleetMessages = {
      async send(message) {
        if (isGone) throw new Error('out of reach')
        const text = JSON.stringify(message)
        for (const [name, handle] of handlers) if (name !== node) handle(JSON.parse(text))
      },
      subscribe(handler) {
        handlers.set(node, handler)
        return () => handlers.delete(node)
      },
    }
    const leases = {
      async take([name = '']: readonly string[], holder: string, ttlMs: number) {
        if (isGone) throw new Error('out of reach')
        const now = performance.now()
        if (lease.holder !== holder && lease.until > now) return []
        Object.assign(lease, { holder, until: now + ttlMs })
        return [{ name, sinceRunMs: undefined }]
      },
      async give(_: readonly string[], holder: string) {
        if (lease.holder === holder) lease.until = 0
      },
    }
    const waiting: (() => void)[] = []
    const control = controlOver(waiting)
    const shared = { name: 'run', busy: 'channel_test_running', node, leases, messages, times } as const
    return {
      run: createFleetRun(control, { ...shared, logger: { warn: () => undefined } }),
      finishOne: () => waiting.shift()?.(),
      vanish() {
        isGone = true
      },
    }
  }
}

function controlOver(waiting: (() => void)[]): ChannelRunControl<string> {
  const runner = new ChannelRunner({ wallClock: { now: () => 5_000_000 } })
  const work = (_: RoutedChannel, signal: AbortSignal) =>
    new Promise<{ isFine: boolean }>((done, fail) => {
      waiting.push(() => done({ isFine: true }))
      signal.addEventListener('abort', () => fail(signal.reason))
    })
  return {
    start: (startedBy) => void runner.run({ startedBy, channels, work }),
    run: async (signal) => void (await runner.run({ startedBy: 'system', channels, work, signal })),
    get progress() {
      return runner.progress
    },
    cancel: () => runner.cancel(),
  }
}

describe('a run over all channels, of two nodes', () => {
  const nodes: Node[] = []
  const start = () => {
    const create = fleet()
    nodes.push(...['a', 'b'].map(create))
    return nodes as unknown as readonly [Node, Node]
  }
  afterEach(async () => {
    for (const { run } of nodes.splice(0)) await run.close()
  })

  it('is refused while another node has it, shown there, and free when it has ended', async () => {
    const [a, b] = start()
    await a.run.start('ann')
    const refusal = await b.run.start('bob').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    a.finishOne()
    await until(() => (b.run.progress.done === 1 ? true : undefined))
    expect(b.run.progress).toMatchObject({ running: true, total: 3, startedBy: 'ann' })
    for (let left = 0; left < 2; left += 1) a.finishOne()
    await until(() => (b.run.progress.running ? undefined : true))
    await until(() =>
      b.run.start('bob').then(
        () => true,
        () => undefined,
      ),
    )
    await until(() => (a.run.progress.startedBy === 'bob' ? true : undefined))
  })

  it('passes over a scheduled one while it is under way', async () => {
    const [a, b] = start()
    await a.run.start('ann')
    await b.run.run(new AbortController().signal)
    expect(b.run.progress.startedBy).toBe('ann')
  })

  it('is cancelled from another node', async () => {
    const [a, b] = start()
    await a.run.start('ann')
    await until(() => (b.run.progress.running ? true : undefined))
    expect(await b.run.cancel()).toMatchObject({ running: false, cancelled: true })
    expect(a.run.progress).toMatchObject({ running: false, cancelled: true })
  })

  it('counts as cancelled when its node is heard of no more, and may then begin anew', async () => {
    const [a, b] = start()
    await a.run.start('ann')
    await until(() => (b.run.progress.running ? true : undefined))
    a.vanish()
    await until(() => (b.run.progress.running ? undefined : true))
    expect(b.run.progress.cancelled).toBe(true)
    await until(() =>
      b.run.start('bob').then(
        () => true,
        () => undefined,
      ),
    )
  })
})
