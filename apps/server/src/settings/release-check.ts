import { type LatestRelease, latestRelease } from '@tollgate/api'
import { type OutboundRequest, outboundFetch } from '../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Services } from '../services.ts'

/** Looks up the latest release. Refuses with `release_check_off` or `release_check_failed`, and within seconds. */
export type ReleaseCheck = () => Promise<LatestRelease>

interface Dependencies extends Pick<Services, 'settings' | 'clock'> {
  readonly fetch?: (request: OutboundRequest) => Promise<{ readonly status: number; readonly body: string }>
}

const timeoutMs = 3000
const maxBytes = 1024 * 1024
/** Of release notes. */
const longestBody = 100_000
const rememberedMs = 3_600_000
/** After a failure the host is not asked again at once. */
const failureRememberedMs = 30_000

interface Lookup {
  readonly url: string
  readonly until: number
  readonly outcome: Promise<LatestRelease>
}

/** One look-up for concurrent calls, and none while its outcome is cached. */
export function createReleaseCheck({ settings, clock, fetch = outboundFetch }: Dependencies): ReleaseCheck {
  let lookup: Lookup | undefined

  return async () => {
    const url = settings.current.ReleaseCheckUrl
    if (url === '') throw new Refusal('release_check_off')
    if (lookup === undefined || lookup.url !== url || lookup.until <= clock.now()) {
      const outcome = latestAt(url, fetch)
      const fresh = { url, until: clock.now() + rememberedMs, outcome }
      lookup = fresh
      outcome.catch(() => {
        if (lookup === fresh) lookup = { ...fresh, until: clock.now() + failureRememberedMs }
      })
    }
    return lookup.outcome
  }
}

async function latestAt(url: string, fetch: NonNullable<Dependencies['fetch']>): Promise<LatestRelease> {
  try {
    // Root chose the address: it may be in a private network.
    const headers = { accept: 'application/json', 'user-agent': 'Tollgate' }
    const { status, body } = await fetch({ url, headers, timeoutMs, maxBytes })
    if (status !== 200) throw new Error(`the host responded with ${status}`)
    const found = latestRelease.parse({ body: '', ...JSON.parse(body) })
    return { ...found, body: found.body.slice(0, longestBody) }
  } catch (cause) {
    throw new Refusal('release_check_failed', {}, { cause })
  }
}
