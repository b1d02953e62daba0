import { calls } from '@tollgate/api'
import { quarterSeconds } from '@tollgate/api/calendar'
import { defaults } from '@tollgate/api/settings'
import { Refusal } from '../../../lib/refusal.ts'
import { siteAddress } from '../../../lib/site-address.ts'
import { incidentFeed } from '../../../operations/status-page/incident-feed.ts'
import type { PublicIncidents } from '../../../operations/status-page/manage-public-incidents.ts'
import type { StatusPage } from '../../../operations/status-page/read-status-page.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { requestOrigin } from '../accounts/browser.ts'
import { type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'
import type { createPriceReader } from '../wallet/price-reader.ts'

export interface StatusPageRouteDeps {
  readonly settings: SettingsReader
  readonly page: Pick<StatusPage, 'read' | 'incidentsFor'>
  readonly incidents: PublicIncidents
  readonly readerOf: ReturnType<typeof createPriceReader>
}

const quarterMinutes = quarterSeconds / 60

/** Routes of the status page, and of what administrators publish there. */
export function statusPageRoutes({
  settings,
  page,
  incidents,
  readerOf,
}: StatusPageRouteDeps): ConsoleRoute[] {
  const { statusPage } = calls
  return [
    route(statusPage.read, async ({ query }, { caller, language, responseHeaders }) => {
      if (!settings.current.StatusPageEnabled) throw new Refusal('record_not_found')
      const { reader } = await readerOf(caller, language)
      // Counts are of quarter hours: more offsets than clocks have would each read them anew.
      const utc_offset = Math.round(query.utc_offset / quarterMinutes) * quarterMinutes
      const read = await page.read(reader, { ...query, utc_offset })
      // Users who are logged in see the models of their own groups.
      responseHeaders.set('cache-control', caller === undefined ? 'public, max-age=60' : 'private, no-cache')
      responseHeaders.append('vary', 'cookie, authorization')
      return read
    }),
    route(statusPage.feed, async ({ query }, { language, requestHeaders, secure, responseHeaders }) => {
      const { StatusPageEnabled, ServerAddress, SystemName } = settings.current
      if (!StatusPageEnabled) throw new Refusal('record_not_found')
      const { reader } = await readerOf(undefined, language)
      responseHeaders.set('cache-control', 'public, max-age=60')
      responseHeaders.append('vary', 'accept-language')
      const text = incidentFeed(await page.incidentsFor(reader), {
        site: siteAddress(ServerAddress, requestOrigin({ requestHeaders, secure })),
        path: statusPage.feed.path + (query.language ? `?language=${query.language}` : ''),
        systemName: SystemName || defaults.SystemName,
        language: query.language ?? language,
      })
      return { text, contentType: 'application/atom+xml' as const }
    }),
    route(statusPage.list, async ({ query }) =>
      pageResult(query, await incidents.list(query, pageWindow(query)), (row) => row),
    ),
    route(statusPage.draft, ({ params }, { actor }) => incidents.draft(actor, params.id)),
    route(statusPage.create, ({ body }, { actor }) => incidents.create(actor, body)),
    route(statusPage.update, ({ params, body }, { actor }) => incidents.update(actor, params.id, body)),
    route(statusPage.addUpdate, ({ params, body }, { actor }) => incidents.addUpdate(actor, params.id, body)),
    route(statusPage.unpublish, ({ params }, { actor }) => incidents.setPublished(actor, params.id, false)),
    route(statusPage.publish, ({ params }, { actor }) => incidents.setPublished(actor, params.id, true)),
  ]
}
