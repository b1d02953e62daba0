import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../i18n/index.ts'
import { embeddedRoute } from './layout-routes.ts'

const chatTexts = () => loadTexts('chat')

const chatRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat/$id',
  loader: chatTexts,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'ChatPage'),
})

const defaultChatRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat',
  loader: chatTexts,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'DefaultChatPage'),
})

const chatJumpRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat2link',
  loader: chatTexts,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'ChatJumpPage'),
})

/** Chat clients, under the top bar. */
export const embeddedRoutes = embeddedRoute.addChildren([chatRoute, defaultChatRoute, chatJumpRoute])
