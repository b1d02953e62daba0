import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../i18n/index.ts'
import { embeddedRoute } from './layout-routes.ts'

const loader = () => loadTexts('chat')

export const chatRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat/$id',
  loader,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'ChatPage'),
})

export const defaultChatRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat',
  loader,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'DefaultChatPage'),
})

export const chatJumpRoute = createRoute({
  getParentRoute: () => embeddedRoute,
  path: '/chat2link',
  loader,
  component: lazyRouteComponent(() => import('../features/chat/page.tsx'), 'ChatJumpPage'),
})
