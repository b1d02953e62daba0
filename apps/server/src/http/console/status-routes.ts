import { status } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import { type InstallationFacts, publicStatus } from '../../settings/public-status.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { type ConsoleRoute, route } from './route.ts'

export interface StatusDeps {
  readonly settings: SettingsReader
  readonly version: string
  /** Unix seconds when the process started. */
  readonly startedAt: InstallationFacts['startedAt']
  /** Whether first-run setup is done. */
  readonly isSetUp: () => boolean | Promise<boolean>
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
}

/** What anyone may know of this installation, and whether its database answers. */
export function statusRoutes({ settings, version, startedAt, isSetUp, ping }: StatusDeps): ConsoleRoute[] {
  return [
    route(status.read, async () => ({
      data: publicStatus(settings.current, { version, startedAt, setUp: await isSetUp() }),
    })),
    route(status.test, async () => {
      await ping().catch((cause: unknown) => {
        throw new Refusal('database_unavailable', {}, { cause })
      })
      return { data: undefined }
    }),
    route(status.notice, async () => ({ data: settings.current.Notice })),
    route(status.about, async () => ({ data: settings.current.About })),
    route(status.homePage, async () => ({ data: settings.current.HomePageContent })),
  ]
}
