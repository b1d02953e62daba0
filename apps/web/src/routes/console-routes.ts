import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { auditSearch } from '../features/audit/search.ts'
import { channelsSearch } from '../features/channels/search.ts'
import { correctionsSearch } from '../features/corrections/search.ts'
import { dashboardSearch } from '../features/dashboard/search.ts'
import { groupsSearch } from '../features/groups/search.ts'
import { incidentSearch } from '../features/incidents/search.ts'
import { logsSearch } from '../features/logs/search.ts'
import { modelsSearch } from '../features/models/search.ts'
import { personalSearch } from '../features/personal/search.ts'
import { playgroundSearch } from '../features/playground/search.ts'
import { redemptionsSearch } from '../features/redemptions/search.ts'
import { routeSearch } from '../features/route/search.ts'
import { securityEventSearch } from '../features/security-events/search.ts'
import { settingsSearch } from '../features/settings/search.ts'
import { spendSearch } from '../features/spend/search.ts'
import { statementSearch } from '../features/statement/search.ts'
import { drawingsSearch, tasksSearch } from '../features/tasks/search.ts'
import { tokensSearch } from '../features/tokens/search.ts'
import { usersSearch } from '../features/users/search.ts'
import { ordersSearch, walletSearch } from '../features/wallet/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { currentUser, isRoot } from '../lib/session/session.ts'
import { requireAdmin, requirePart, requireRecordId, requireRoot } from './guards.ts'
import { consoleRoute } from './layout-routes.ts'
import { loadList } from './list-loader.ts'

const tokensPage = () => import('../features/tokens/page.tsx')
const channelsPage = () => import('../features/channels/page.tsx')
const logsPage = () => import('../features/logs/page.tsx')
const usersPage = () => import('../features/users/page.tsx')

/** Loads the names of fields that every page calls alike, for a form. */
const fieldTexts = () => loadTexts('fields')

const tokenRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/token',
  validateSearch: tokensSearch,
  loader: loadList(['tokens', 'chat'], tokensSearch, tokensPage),
  component: lazyRouteComponent(tokensPage, 'TokensPage'),
})

const tokenAddRoute = createRoute({
  getParentRoute: () => tokenRoute,
  path: '/add',
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/tokens/sheet.tsx'), 'CreateTokenSheet'),
})

const tokenEditRoute = createRoute({
  getParentRoute: () => tokenRoute,
  path: '/edit/$id',
  beforeLoad: requireRecordId,
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/tokens/sheet.tsx'), 'EditTokenSheet'),
})

const channelRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/channel',
  beforeLoad: requirePart('channels'),
  validateSearch: channelsSearch,
  loader: loadList(['channels', 'fields'], channelsSearch, channelsPage),
  component: lazyRouteComponent(channelsPage, 'ChannelsPage'),
})

/** The list stays on screen while a sheet loads. */
const nothing = () => null

const channelAddRoute = createRoute({
  getParentRoute: () => channelRoute,
  path: '/add',
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/channels/sheet.tsx'), 'CreateChannelSheet'),
  pendingComponent: nothing,
})

const channelEditRoute = createRoute({
  getParentRoute: () => channelRoute,
  path: '/edit/$id',
  beforeLoad: requireRecordId,
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/channels/sheet.tsx'), 'EditChannelSheet'),
  pendingComponent: nothing,
})

const modelsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/models',
  beforeLoad: requirePart('prices'),
  validateSearch: modelsSearch,
  loader: () => loadTexts('models', 'prices'),
  component: lazyRouteComponent(() => import('../features/models/page.tsx'), 'ModelsPage'),
})

const groupRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/group',
  beforeLoad: requirePart('prices'),
  validateSearch: groupsSearch,
  loader: () => loadTexts('groups'),
  component: lazyRouteComponent(() => import('../features/groups/page.tsx'), 'GroupsPage'),
})

const correctionRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/correction',
  beforeLoad: requireRoot,
  validateSearch: correctionsSearch,
  loader: () => loadTexts('corrections'),
  component: lazyRouteComponent(() => import('../features/corrections/page.tsx'), 'CorrectionsPage'),
})

const detailRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/detail',
  validateSearch: dashboardSearch,
  loader: () => loadTexts('dashboard', 'incidents'),
  component: lazyRouteComponent(() => import('../features/dashboard/page.tsx'), 'DashboardPage'),
})

const drawingsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/midjourney',
  validateSearch: drawingsSearch,
  loader: () => loadTexts('tasks'),
  component: lazyRouteComponent(() => import('../features/tasks/drawings-page.tsx'), 'DrawingsPage'),
})

const tasksRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/task',
  validateSearch: tasksSearch,
  loader: () => loadTexts('tasks'),
  component: lazyRouteComponent(() => import('../features/tasks/tasks-page.tsx'), 'TasksPage'),
})

const logRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/log',
  validateSearch: logsSearch,
  loader: loadList(['logs'], logsSearch, logsPage),
  component: lazyRouteComponent(logsPage, 'LogsPage'),
})

const requestRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/log/request/$id',
  loader: () => loadTexts('logs'),
  component: lazyRouteComponent(() => import('../features/logs/request/request-page.tsx'), 'RequestPage'),
})

const playgroundRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/playground',
  validateSearch: playgroundSearch,
  loader: () => loadTexts('playground'),
  component: lazyRouteComponent(() => import('../features/playground/page.tsx'), 'PlaygroundPage'),
})

const walletRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/topup',
  validateSearch: walletSearch,
  loader: () => loadTexts('wallet'),
  component: lazyRouteComponent(() => import('../features/wallet/page.tsx'), 'WalletPage'),
})

const statementRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/statement',
  validateSearch: statementSearch,
  loader: () => loadTexts('statement'),
  component: lazyRouteComponent(() => import('../features/statement/page.tsx'), 'StatementPage'),
})

const spendRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/spend',
  beforeLoad: requirePart('money'),
  validateSearch: spendSearch,
  loader: () => loadTexts('spend'),
  component: lazyRouteComponent(() => import('../features/spend/page.tsx'), 'SpendPage'),
})

const ordersRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/orders',
  beforeLoad: requirePart('money'),
  validateSearch: ordersSearch,
  loader: () => loadTexts('wallet'),
  component: lazyRouteComponent(() => import('../features/wallet/all-orders/page.tsx'), 'OrdersPage'),
})

const redemptionRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/redemption',
  beforeLoad: requirePart('money'),
  validateSearch: redemptionsSearch,
  loader: () => loadTexts('redemptions'),
  component: lazyRouteComponent(() => import('../features/redemptions/page.tsx'), 'RedemptionsPage'),
})

const redemptionAddRoute = createRoute({
  getParentRoute: () => redemptionRoute,
  path: '/add',
  component: lazyRouteComponent(() => import('../features/redemptions/sheet.tsx'), 'CreateRedemptionSheet'),
})

const redemptionEditRoute = createRoute({
  getParentRoute: () => redemptionRoute,
  path: '/edit/$id',
  beforeLoad: requireRecordId,
  component: lazyRouteComponent(() => import('../features/redemptions/sheet.tsx'), 'EditRedemptionSheet'),
})

const personalRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/personal',
  validateSearch: personalSearch,
  loader: () => loadTexts('personal'),
  component: lazyRouteComponent(() => import('../features/personal/page.tsx'), 'PersonalPage'),
})

const userRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/user',
  beforeLoad: requirePart('users'),
  validateSearch: usersSearch,
  loader: loadList(['users', 'fields'], usersSearch, usersPage),
  component: lazyRouteComponent(usersPage, 'UsersPage'),
})

const userAddRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/add',
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/users/sheet.tsx'), 'CreateUserSheet'),
})

/** Opens the reader's own edit, as the address has no id: root here as any other user, administrators where everybody does. */
const ownEditRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/edit',
  beforeLoad: () => {
    const user = currentUser()
    if (user === undefined || !isRoot(user)) throw redirect({ to: '/personal', replace: true })
    throw redirect({ to: '/user/edit/$id', params: { id: String(user.id) }, search: true, replace: true })
  },
})

const userEditRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/edit/$id',
  beforeLoad: requireRecordId,
  loader: fieldTexts,
  component: lazyRouteComponent(() => import('../features/users/sheet.tsx'), 'EditUserSheet'),
})

const userKeyRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/key/$id',
  beforeLoad: requireRecordId,
  component: lazyRouteComponent(() => import('../features/users/key-sheet.tsx'), 'KeySheet'),
})

const auditRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/audit',
  beforeLoad: requireAdmin,
  validateSearch: auditSearch,
  loader: () => loadTexts('audit', 'fields'),
  component: lazyRouteComponent(() => import('../features/audit/page.tsx'), 'AuditPage'),
})

const incidentsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/incidents',
  beforeLoad: requireAdmin,
  validateSearch: incidentSearch,
  loader: () => loadTexts('incidents', 'statusPage'),
  component: lazyRouteComponent(() => import('../features/incidents/page.tsx'), 'IncidentsPage'),
})

const simulatorRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/route',
  validateSearch: routeSearch,
  beforeLoad: requirePart('channels'),
  loader: () => loadTexts('route'),
  component: lazyRouteComponent(() => import('../features/route/page.tsx'), 'RoutePage'),
})

const securityRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/security',
  validateSearch: securityEventSearch,
  beforeLoad: requireRoot,
  loader: () => loadTexts('securityEvents'),
  component: lazyRouteComponent(() => import('../features/security-events/page.tsx'), 'SecurityEventsPage'),
})

const nodesRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/nodes',
  beforeLoad: requireRoot,
  loader: () => loadTexts('nodes'),
  component: lazyRouteComponent(() => import('../features/nodes/page.tsx'), 'NodesPage'),
})

const settingRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/setting',
  validateSearch: settingsSearch,
  loader: () => loadTexts('settings'),
  component: lazyRouteComponent(() => import('../features/settings/page.tsx'), 'SettingsPage'),
})

/** The pages beside the side menu. */
export const consoleRoutes = consoleRoute.addChildren([
  tokenRoute.addChildren([tokenAddRoute, tokenEditRoute]),
  channelRoute.addChildren([channelAddRoute, channelEditRoute]),
  detailRoute,
  modelsRoute,
  groupRoute,
  correctionRoute,
  logRoute,
  requestRoute,
  drawingsRoute,
  tasksRoute,
  settingRoute,
  playgroundRoute,
  walletRoute,
  ordersRoute,
  spendRoute,
  statementRoute,
  personalRoute,
  redemptionRoute.addChildren([redemptionAddRoute, redemptionEditRoute]),
  userRoute.addChildren([userAddRoute, ownEditRoute, userEditRoute, userKeyRoute]),
  auditRoute,
  incidentsRoute,
  simulatorRoute,
  securityRoute,
  nodesRoute,
])
