import { afterEach, expect, it, setDefaultTimeout } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { until } from '../../../../tests/support/until.ts'
import type { Patience } from './pulse.ts'
import { restartDelayMs } from './slot.ts'
import { Supervisor } from './supervisor.ts'

setDefaultTimeout(deadline(20_000))

const started: Supervisor[] = []
afterEach(() => {
  for (const supervisor of started.splice(0)) supervisor.kill()
})

/** Takes no worker for one that hangs: on a busy machine one that waits for the processor gives no sign of life either. */
const patient = { everyMs: 50, slowAfter: 1e6, hungAfter: 1e6 }
/** Takes a worker for one that hangs after a second: for the tests in which one does. */
const impatient = { everyMs: 50, slowAfter: 3, hungAfter: 20 }

function supervise(
  count: number,
  environment: Readonly<Record<string, string>> = {},
  patience: Patience = patient,
) {
  const lines: string[] = []
  const entries: string[] = []
  const steered: (readonly number[])[] = []
  const log = (_: object, text = '') => {
    entries.push(text)
  }
  const supervisor = new Supervisor({
    count,
    entrance: {
      sockets: Array.from({ length: count }, () => []),
      metricsSockets: [],
      isLent: false,
      steer(queues) {
        steered.push(queues)
        return true
      },
    },
    command: [process.execPath, fileURLToPath(new URL('./test-support/worker.ts', import.meta.url))],
    environment: { ...process.env, ...environment },
    startedAt: 17,
    ownStatement: () => undefined,
    retain: (_, former, last) => [...((former as unknown[] | undefined) ?? []), ...(last as unknown[])],
    gone: () => undefined,
    print: (line) => lines.push(line),
    logger: { info: log, warn: log, error: log },
    patience,
  })
  started.push(supervisor)
  return { supervisor, lines, entries, steered }
}

async function numbersOf(supervisor: Supervisor): Promise<readonly number[]> {
  const statements = await supervisor.gather('metrics')
  return statements.flatMap(({ worker }) => (worker === 0 ? [] : worker))
}

async function pidsOf(supervisor: Supervisor): Promise<readonly number[]> {
  const statements = await supervisor.gather('metrics')
  return statements.flatMap(({ worker, value }) =>
    worker === 0 ? [] : ((value as { pid: number }[])[0]?.pid ?? []),
  )
}

it('starts the workers, has connections go to them, the earliest to the first, and prints what that one says', async () => {
  const { supervisor, lines, steered } = supervise(3)
  expect(await supervisor.start()).toBeUndefined()
  expect([supervisor.open, lines]).toEqual([3, ['worker 1 of 3']])
  expect([steered[0], steered.at(-1)]).toEqual([[0], [0, 1, 2]])
  expect(new Set(await pidsOf(supervisor)).size).toBe(3)
  expect(await supervisor.stop()).toBe(0)
})

it('ends with the code of a first worker that does not come to serve, and starts no other', async () => {
  const { supervisor, steered, entries } = supervise(3, { WORKER_FAILS: '1' })
  expect(await supervisor.start()).toBe(3)
  expect([steered, entries, supervisor.ends]).toEqual([[[0]], [], 0])
})

it('goes on with those that serve, and tries the others again, later each time', async () => {
  const { supervisor, entries } = supervise(2, { WORKER_FAILS: '2,3,4' })
  expect(await supervisor.start()).toBeUndefined()
  expect(supervisor.open).toBe(1)
  await until(() => (entries.length >= 2 ? true : undefined))
  expect(entries[0]).toStartWith(
    'worker 2 ended (exit code 3) and worker 3 takes its queue with another folder',
  )
  expect([0, 1, 2, 6, 60].map(restartDelayMs)).toEqual([0, 500, 1000, 30_000, 30_000])
  expect(await supervisor.stop()).toBe(0)
})

it('turns connections away from a worker that has ended, until its successor is there', async () => {
  const { supervisor, steered } = supervise(2)
  await supervisor.start()
  const [first = 0] = await pidsOf(supervisor)
  process.kill(first, 'SIGKILL')
  await until(() => (supervisor.ends === 1 && supervisor.open === 2 ? true : undefined))
  expect(steered.slice(-2)).toEqual([[1], [0, 1]])
  expect(await pidsOf(supervisor)).not.toContain(first)
})

it('turns connections away from a worker that takes no calls, and from none where all take none', async () => {
  const one = supervise(3, { WORKER_UNFIT: '2' })
  await one.supervisor.start()
  await until(() => (one.steered.at(-1)?.length === 2 ? true : undefined))
  expect(one.steered.at(-1)).toEqual([0, 2])
  const all = supervise(2, { WORKER_UNFIT: '1,2' })
  await all.supervisor.start()
  await until(() => (all.steered.at(-1)?.length === 2 ? true : undefined))
  expect(all.supervisor.open).toBe(2)
})

it('replaces every worker, has the new one listen before the former stops, and keeps what those said last', async () => {
  const { supervisor, steered, entries } = supervise(2)
  await supervisor.start()
  const before = await pidsOf(supervisor)
  await supervisor.reload()
  const after = await pidsOf(supervisor)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
  expect(steered.filter((queues) => queues.length < 2)).toEqual([[0]])
  expect(entries.at(-1)).toBe('every worker was replaced')
  const retained = (await supervisor.gather('metrics')).find(({ worker }) => worker === 0)
  expect(retained?.value).toEqual([{ last: 1 }, { last: 2 }])
  expect(supervisor.ends).toBe(0)
})

it('keeps the workers that serve when a new one does not come to serve', async () => {
  // The number of the one that replaces the first.
  const { supervisor, entries } = supervise(2, { WORKER_FAILS: '3' })
  await supervisor.start()
  const before = await pidsOf(supervisor)
  await supervisor.reload()
  expect(await pidsOf(supervisor)).toEqual(before)
  expect(entries.at(-1)).toContain('the others stay as they are')
})

it('turns connections away from a worker that hangs, ends it, and starts it again', async () => {
  const { supervisor, steered, entries } = supervise(2, {}, impatient)
  await supervisor.start()
  const [first = 0] = await pidsOf(supervisor)
  // It has given a sign of life by then.
  await Bun.sleep(200)
  process.kill(first, 'SIGSTOP')
  await until(() => (steered.at(-1)?.join() === '1' ? true : undefined))
  expect((await supervisor.gather('metrics')).length).toBe(2)
  await until(() => (supervisor.ends === 1 && supervisor.open === 2 ? true : undefined))
  expect(entries[0]).toStartWith('worker 1 gives no sign of life and is killed')
  expect(steered.at(-1)).toEqual([0, 1])
  expect(await supervisor.stop()).toBe(0)
})

it('ends a worker that hangs while it leaves, so that the others are replaced too', async () => {
  const { supervisor } = supervise(2, {}, impatient)
  await supervisor.start()
  const before = await pidsOf(supervisor)
  await Bun.sleep(200)
  const replaced = supervisor.reload()
  process.kill(before[0] ?? 0, 'SIGSTOP')
  await replaced
  expect((await pidsOf(supervisor)).filter((pid) => before.includes(pid))).toEqual([])
})

it('gives the queue of a worker whose folder is broken to one with another folder, and replaces both in sound ones', async () => {
  const { supervisor, entries } = supervise(2, { WORKER_FAILS: '2' })
  await supervisor.start()
  await until(() => (supervisor.open === 2 ? true : undefined))
  expect([await numbersOf(supervisor), supervisor.ends]).toEqual([[1, 3], 1])
  await supervisor.reload()
  expect(entries.at(-1)).toBe('every worker was replaced')
  expect((await numbersOf(supervisor)).toSorted()).toEqual([1, 4])
})

it('tries every folder in turn where none has a worker that comes to serve', async () => {
  const { supervisor, entries } = supervise(2, { WORKER_FAILS: '2,3,4' })
  await supervisor.start()
  await until(() => (supervisor.ends >= 4 ? true : undefined))
  const numbers = entries.flatMap((text) => /and worker (\d) takes its queue/.exec(text)?.[1] ?? [])
  expect(numbers.slice(0, 4)).toEqual(['3', '4', '2', '3'])
})

it('starts no other worker when the stop comes before the first one serves', async () => {
  const { supervisor } = supervise(3)
  const starting = supervisor.start()
  expect(await supervisor.stop()).toBe(0)
  expect(await starting).toBe(0)
  expect(await numbersOf(supervisor)).toEqual([])
})

it('replaces workers only once all have had their start', async () => {
  const { supervisor, entries } = supervise(2)
  const starting = supervisor.start()
  const replaced = supervisor.reload()
  await until(() => (entries.length > 0 ? true : undefined))
  expect(supervisor.open).toBe(2)
  await Promise.all([starting, replaced])
  expect([entries.at(-1), supervisor.ends]).toEqual(['every worker was replaced', 0])
})
