import { randomUUID } from 'node:crypto'
import type { Job } from '../jobs/scheduler.ts'
import { createHeldLease } from '../tasks/engine/lease.ts'
import { createTaskBook, type TaskBook } from '../tasks/engine/task-book.ts'
import { createTaskPoller } from '../tasks/engine/task-poller.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import type { ChannelParts } from './channels.ts'
import type { Foundation } from './foundation.ts'

/** Work that upstreams finish later. */
export interface TaskParts {
  readonly book: TaskBook
  readonly hashKey: (key: string) => string
  readonly jobs: readonly Job[]
  close(): Promise<void>
}

const lookEveryMs = 500
/** An upstream that has not taken a task by then never will: handing over takes a minute at most, and a retry or two. */
const handOverMinutes = 10
const minute = 60_000

export function composeTasks(base: Foundation, channels: ChannelParts, upstreams: Upstreams): TaskParts {
  const { store, ledger, clock, settings, vault, logger, config } = base
  const hashKey = (key: string) => vault.hash(key)
  const book = createTaskBook({
    tasks: store.tasks,
    ledger,
    clock,
    newHoldId: () => `task-${randomUUID()}`,
    logs: {
      consumption: () => settings.current.LogConsumeEnabled,
      failures: () => settings.current.LogFailedCallsEnabled,
    },
  })
  if (!config.UPDATE_TASK) return { book, hashKey, jobs: [], close: async () => undefined }
  const poller = createTaskPoller({
    tasks: store.tasks,
    book,
    channels: channels.directory,
    isGone: async (id) => (await store.channels.find(id)) === undefined,
    upstreams,
    lease: createHeldLease({ leases: store.leases, name: 'task-polling', holder: randomUUID(), clock }),
    hashKey,
    clock,
    limits: { finishMs: config.TASK_TIMEOUT_MINUTES * minute, handOverMs: handOverMinutes * minute },
    roundMs: config.TASK_POLL_SECONDS * 1000,
    logger,
  })
  const look: Job = { name: 'ask-about-tasks', everyMs: lookEveryMs, run: () => poller.look() }
  return { book, hashKey, jobs: [look], close: () => poller.close() }
}
