import { flowLifetimeSeconds, type StartedFlow } from '../../../sign-in/flows.ts'
import { browserCookie, readCookie } from '../session-cookie.ts'
import type { BrowserContext } from './login-response.ts'

/** Each flow has a cookie of its own, so that two tabs do not end each other's. */
const flowCookie = (state: string) => ({ name: `oauth_${state.slice(0, 16)}`, path: '/api/oauth' }) as const

/** Has the browser keep what it alone knows of a flow. */
export function setFlowCookie(
  { state, browserSecret }: StartedFlow,
  { secure, responseHeaders }: Pick<BrowserContext, 'secure' | 'responseHeaders'>,
): void {
  const cookie = { ...flowCookie(state), value: browserSecret, maxAgeSeconds: flowLifetimeSeconds, secure }
  responseHeaders.append('set-cookie', browserCookie(cookie))
}

/** What this browser keeps of a flow; it need not keep it any longer. */
export function takeFlowCookie(state: string | undefined, context: BrowserContext): string | undefined {
  if (state === undefined || !/^\w{16,}$/.test(state)) return undefined
  const cookie = flowCookie(state)
  const { responseHeaders, secure } = context
  responseHeaders.append('set-cookie', browserCookie({ ...cookie, value: '', maxAgeSeconds: 0, secure }))
  return readCookie(context, cookie.name)
}
