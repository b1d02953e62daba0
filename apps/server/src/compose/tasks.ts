import { randomUUID } from 'node:crypto'
import { monotonicClock } from '@tollgate/base'
import { createMidjourneyHooks } from '../gateway/tasks/midjourney/midjourney-hooks.ts'
import { pollTickMs } from '../gateway/tasks/polling/account-poller.ts'
import { TaskDeadlines } from '../gateway/tasks/polling/task-deadlines.ts'
import { TaskPoller } from '../gateway/tasks/polling/task-poller.ts'
import { type TaskListener, TaskStore } from '../gateway/tasks/task-store.ts'
import { createVideoContents, type VideoContents } from '../http/relay/tasks/video-contents.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import type { ChannelParts } from './channels.ts'
import type { AllServices } from './services.ts'

/** Work that upstreams finish later. */
export interface TaskParts {
  readonly taskStore: TaskStore
  readonly hashKey: (key: string) => string
  readonly contents: VideoContents
  /** Notifies the caller of an image, where they gave an address. */
  readonly notifyCaller: TaskListener
  readonly jobs: readonly Job[]
  close(): Promise<void>
}

/**
 * An upstream that has not accepted a task by then never will: dispatching takes a minute at most, and a retry or two.
 */
const handOverMinutes = 10
const minute = 60_000
/** A task holds its money through an outage of one day; after a longer one it is refunded. */
const unreachableMs = 24 * 60 * minute

export function composeTasks(base: AllServices, channels: ChannelParts, upstreams: Upstreams): TaskParts {
  const { store, ledger, clock, settings, vault, logger, config } = base
  const hashKey = (key: string) => vault.hash(key)
  const taskStore = new TaskStore({
    tasks: store.tasks,
    ledger,
    clock,
    newHoldId: () => `task-${randomUUID()}`,
    logs: {
      consumption: () => settings.current.LogConsumeEnabled,
      failures: () => settings.current.LogFailedCallsEnabled,
    },
  })
  const notifyCaller = createMidjourneyHooks({
    settings,
    guard: base.outboundGuard,
    queue: base.deliveries,
    clock,
  })
  taskStore.subscribe(notifyCaller)
  const contents = createVideoContents({
    channels: channels.directory,
    upstreams,
    guard: base.outboundGuard,
    hashKey,
  })
  const parts = { taskStore, hashKey, contents, notifyCaller }
  if (!config.UPDATE_TASK) return { ...parts, jobs: [], close: async () => {} }
  const finishMs = config.TASK_TIMEOUT_MINUTES * minute
  const limits = { dispatchMs: handOverMinutes * minute, finishMs, unreachableMs }
  const poller = new TaskPoller({
    tasks: store.tasks,
    taskStore,
    channels: channels.directory,
    isGone: async (id) => (await store.channels.find(id)) === undefined,
    upstreams,
    hashKey,
    clock,
    monotonic: monotonicClock,
    deadlines: new TaskDeadlines(limits, clock),
    roundMs: config.TASK_POLL_SECONDS * 1000,
    logger,
  })
  const look: Job = {
    name: 'ask-about-tasks',
    everyMs: pollTickMs,
    scope: 'fleet',
    run: (signal) => poller.look(signal),
  }
  return { ...parts, jobs: [look], close: () => poller.close() }
}
