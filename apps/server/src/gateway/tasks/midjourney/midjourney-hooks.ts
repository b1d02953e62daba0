import type { Clock } from '@tollgate/base'
import { assertDelivered, type DeliveryQueue } from '../../../lib/outbound/delivery-queue.ts'
import { outboundFetch } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Task } from '../../../store/work/tasks.ts'
import type { TaskListener } from '../task-store.ts'
import { imageAddressesOf, midjourneyObject, propertyText } from './midjourney-object.ts'

/** The property of an image's task that stores its caller's webhook address. */
export const callersHook = 'notify_hook'

interface Dependencies {
  readonly settings: SettingsReader
  readonly guard: OutboundGuard
  readonly queue: Pick<DeliveryQueue, 'add'>
  readonly clock: Clock
}

const timeoutMs = 10_000
/** Bound of the webhook's response, which is not used. */
const maxBytes = 64 * 1024
/** Tasks whose last state is remembered. */
const maxRemembered = 10_000

/**
 * Posts changes of images to the webhook addresses that callers gave; gives a delivery up after some tries. A state that waits
 * for another try gives way to a later one, which would arrive before it.
 */
export function createMidjourneyHooks(deps: Dependencies): TaskListener {
  const latest = new Map<number, string>()
  return (task) => {
    const url = task.platform === 'mj' ? propertyText(task, callersHook) : ''
    if (url === '' || !deps.settings.current.MjNotifyEnabled) return
    const stated = JSON.stringify([task.status, task.progress, task.failReason, task.properties])
    if (latest.get(task.id) === stated) return
    latest.delete(task.id)
    latest.set(task.id, stated)
    if (latest.size > maxRemembered) latest.delete(latest.keys().next().value ?? 0)
    const isOutdated = () => (latest.get(task.id) ?? stated) !== stated
    deps.queue.add({
      kind: 'task',
      about: { task: task.id },
      send: async (signal) => (isOutdated() ? undefined : deliver(url, task, deps, signal)),
    })
  }
}

async function deliver(
  url: string,
  task: Task,
  { settings, guard, clock }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  const { status } = await outboundFetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(midjourneyObject(task, imageAddressesOf(settings)(), clock.now())),
    timeoutMs,
    maxBytes,
    guard,
    signal,
  })
  assertDelivered(status)
}

/** Recognises a URL that can be a webhook address; the outbound guard checks its host at delivery. */
export function isHookAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
