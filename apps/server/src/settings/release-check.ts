import { type LatestRelease, latestRelease } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import { coerce, gt, parse, type SemVer } from 'semver'
import { type OutboundRequest, outboundFetch } from '../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from './settings.ts'

/** Looks up the latest release. Refuses with `release_check_off` or `release_check_failed`, and within seconds. */
export type ReleaseCheck = () => Promise<LatestRelease>

interface Dependencies {
  readonly settings: SettingsReader
  readonly clock: Clock
  /** The one that runs. */
  readonly version: string
  readonly fetch?: (request: OutboundRequest) => Promise<{ readonly status: number; readonly body: string }>
}

const timeoutMs = 3000
const maxBytes = 1024 * 1024
/** Length of release notes. */
const maxBody = 100_000
const rememberedMs = 3_600_000
const maxTag = 100
/** After a failure the host is not asked again at once. */
const failureRememberedMs = 30_000

interface Lookup {
  readonly url: string
  readonly until: number
  readonly outcome: Promise<LatestRelease>
}

/** One look-up for concurrent calls, and none while its outcome is cached. */
export function createReleaseCheck({
  settings,
  clock,
  version,
  fetch = outboundFetch,
}: Dependencies): ReleaseCheck {
  let lookup: Lookup | undefined

  return async () => {
    const url = settings.current.ReleaseCheckUrl
    if (url === '') throw new Refusal('release_check_off')
    if (lookup === undefined || lookup.url !== url || lookup.until <= clock.now()) {
      const outcome = latestAt(url, version, fetch)
      const fresh = { url, until: clock.now() + rememberedMs, outcome }
      lookup = fresh
      outcome.catch(() => {
        if (lookup === fresh) lookup = { ...fresh, until: clock.now() + failureRememberedMs }
      })
    }
    return lookup.outcome
  }
}

const named = latestRelease.omit({ newer: true })

async function latestAt(
  url: string,
  version: string,
  fetch: NonNullable<Dependencies['fetch']>,
): Promise<LatestRelease> {
  try {
    // Root chose the address: it may be in a private network.
    const headers = { accept: 'application/json', 'user-agent': 'Tollgate' }
    const { status, body } = await fetch({ url, headers, timeoutMs, maxBytes })
    if (status !== 200) throw new Error(`the host responded with ${status}`)
    const found = named.parse({ body: '', ...JSON.parse(body) })
    const newer = gt(versionIn(found.tag_name), version)
    return { ...found, body: found.body.slice(0, maxBody), newer }
  } catch (cause) {
    throw new Refusal('release_check_failed', {}, { cause })
  }
}

/** Reads the version in a tag, which is or names one: `v1.2.3-rc.1`, `release-1.2`. Throws for a tag without one. */
function versionIn(tag: string): SemVer {
  const version = parse(tag.slice(0, maxTag), { loose: true }) ?? coerce(tag.slice(0, maxTag))
  if (version === null) throw new Error(`the tag names no version: ${tag.slice(0, maxTag)}`)
  return version
}
