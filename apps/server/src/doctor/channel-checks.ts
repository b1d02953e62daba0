import { type Finding, ok, warn } from './finding.ts'

/** An address that enabled channels send to. */
export interface Target {
  readonly origin: string
  /** Names of the channels. */
  readonly channels: readonly string[]
}

const limitMs = 5000

/** Whether a server responds at each address; what it says does not matter, because no key is sent. */
export async function checkTargets(targets: readonly Target[]): Promise<readonly Finding[]> {
  if (targets.length === 0) return [warn('channels', 'no channel is enabled: add one in the console')]
  return await Promise.all(targets.map(checkTarget))
}

async function checkTarget({ origin, channels }: Target): Promise<Finding> {
  const what = `channel ${channels[0]}${channels.length > 1 ? ` and ${channels.length - 1} more` : ''}`
  try {
    const { status } = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    return ok(what, `${origin} responds (${status})`)
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string }
    return warn(
      what,
      `${origin} does not respond (${code ?? name}): check its address, the name server and the proxy`,
    )
  }
}
