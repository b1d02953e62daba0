import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { channelsSearch } from '../features/channels/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { requireAdmin } from './guards.ts'
import { consoleRoute } from './layout-routes.ts'

export const channelRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/channel',
  beforeLoad: requireAdmin,
  validateSearch: channelsSearch,
  loader: () => loadTexts('channels'),
  component: lazyRouteComponent(() => import('../features/channels/page.tsx'), 'ChannelsPage'),
})

/** While a sheet is on its way the list stays as it is. */
const nothing = () => null

export const channelAddRoute = createRoute({
  getParentRoute: () => channelRoute,
  path: '/add',
  component: lazyRouteComponent(() => import('../features/channels/sheet.tsx'), 'CreateChannelSheet'),
  pendingComponent: nothing,
})

export const channelEditRoute = createRoute({
  getParentRoute: () => channelRoute,
  path: '/edit/$id',
  component: lazyRouteComponent(() => import('../features/channels/sheet.tsx'), 'EditChannelSheet'),
  pendingComponent: nothing,
})
