import { release, status } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import { type InstallationFacts, publicStatus } from '../../../settings/public-status.ts'
import type { ReleaseCheck } from '../../../settings/release-check.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface StatusDeps {
  readonly settings: SettingsReader
  readonly version: string
  /** Unix seconds when the process started. */
  readonly startedAt: InstallationFacts['startedAt']
  /** Decides whether first-run setup is done. */
  readonly isSetUp: () => boolean | Promise<boolean>
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
  readonly releaseCheck: ReleaseCheck
}

/** Routes of the public facts of this installation, and of its database's health. */
export function statusRoutes(deps: StatusDeps): ConsoleRoute[] {
  const { settings, version, startedAt, isSetUp, ping, releaseCheck } = deps
  return [
    route(status.read, async () =>
      publicStatus(settings.current, { version, startedAt, setUp: await isSetUp() }),
    ),
    route(status.test, async () => {
      await ping().catch((cause: unknown) => {
        throw new Refusal('database_unavailable', {}, { cause })
      })
    }),
    route(release.latest, () => releaseCheck()),
    route(status.notice, () => settings.current.Notice),
    route(status.about, () => settings.current.About),
    route(status.homePage, () => settings.current.HomePageContent),
  ]
}
