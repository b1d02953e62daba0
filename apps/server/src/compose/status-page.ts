import type { ConsoleRoute } from '../http/console/route.ts'
import { type StatusPageRouteDeps, statusPageRoutes } from '../http/console/system/status-page-routes.ts'
import {
  createPublicIncidents,
  type PublicIncidents,
} from '../operations/status-page/manage-public-incidents.ts'
import { createStatusPage } from '../operations/status-page/read-status-page.ts'
import { pricedGroups } from '../settings/groups.ts'
import type { AttemptParts } from './attempt-counts.ts'
import type { ChannelParts } from './channels.ts'
import type { AllServices } from './services.ts'

/** Composes the status page and what administrators publish there. */
export function composeStatusPage(
  base: AllServices,
  { directory, health }: Pick<ChannelParts, 'directory' | 'health'>,
  writeAttempts: AttemptParts['write'],
  readerOf: StatusPageRouteDeps['readerOf'],
): { readonly routes: ConsoleRoute[]; readonly publicIncidents: PublicIncidents } {
  const { settings, store } = base
  const page = createStatusPage({ ...base, ...store, directory, health, writeAttempts })
  const visitor = () => ({
    groups: new Set(Object.keys(pricedGroups(settings.current, undefined, '', 'en'))),
    acceptsUnpriced: false,
    isVisitor: true,
  })
  const publicIncidents = createPublicIncidents({
    ...base,
    directory,
    visibleModels: () => page.modelsOf(visitor()),
    changed: page.incidentsChanged,
  })
  return {
    routes: statusPageRoutes({ settings, page, incidents: publicIncidents, readerOf }),
    publicIncidents,
  }
}
