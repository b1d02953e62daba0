import type { Clock } from '@tollgate/base'
import { type Finding, ok, warn } from './finding.ts'

/** An address that enabled channels send to. */
export interface Target {
  readonly origin: string
  /** Names of the channels. */
  readonly channels: readonly string[]
}

/** Findings of a look at the addresses of channels. */
export interface CheckedTargets {
  readonly findings: readonly Finding[]
  /** Lead of this machine's clock over each server that sends the time. */
  readonly aheadMs: readonly number[]
}

const limitMs = 5000

/** Checks that a server responds at each address; the content of its response does not matter, because no key is sent. */
export async function checkTargets(targets: readonly Target[], clock: Clock): Promise<CheckedTargets> {
  if (targets.length === 0)
    return { findings: [warn('channels', 'no channel is enabled: add one in the console')], aheadMs: [] }
  const aheadMs: number[] = []
  const heard = (date: string | null) => {
    const serverMs = Date.parse(date ?? '')
    // The header has no fraction: on average half a second passes unsaid.
    if (!Number.isNaN(serverMs)) aheadMs.push(clock.now() - serverMs - 500)
  }
  return { findings: await Promise.all(targets.map((target) => checkTarget(target, heard))), aheadMs }
}

async function checkTarget(
  { origin, channels }: Target,
  heard: (date: string | null) => void,
): Promise<Finding> {
  const what = `channel ${channels[0]}${channels.length > 1 ? ` and ${channels.length - 1} more` : ''}`
  try {
    const { status, headers } = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    heard(headers.get('date'))
    return ok(what, `${origin} responds (${status})`)
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string }
    return warn(
      what,
      `${origin} does not respond (${code ?? name}): check its address, the name server and the proxy`,
    )
  }
}
