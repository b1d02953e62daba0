import { type CallArguments, type CallData, defaultAdminParts, type EnvelopeCall } from '@tollgate/api'
import type { Caller } from '../../callers/caller.ts'
import type { ConsoleRoute } from '../route.ts'

export const rootCaller: Caller = {
  userId: 1,
  username: 'root',
  role: 'root',
  parts: [],
  group: 'default',
  via: 'session',
  scope: 'full',
  provenAt: 0,
}
export const adminCaller: Caller = {
  ...rootCaller,
  userId: 2,
  username: 'admin',
  role: 'admin',
  parts: defaultAdminParts,
}
export const commonCaller: Caller = { ...rootCaller, userId: 3, username: 'ann', role: 'common' }

/** Runs the handler bound to `call`, as the edge does once arguments and access are checked; answers its data. */
export async function callRoute<C extends EnvelopeCall>(
  routes: readonly ConsoleRoute[],
  call: C,
  args: CallArguments<C>,
  caller?: Caller,
): Promise<CallData<C>> {
  const route = routes.find((candidate) => candidate.call === call)
  if (route === undefined) throw new Error(`No route for ${call.method} ${call.path}`)
  const context = {
    caller,
    actor: caller && { ...caller, address: '127.0.0.1', requireProof: () => undefined },
    language: 'en',
    clientAddress: '127.0.0.1',
    requestHeaders: new Headers(),
    sessionId: undefined,
    secure: false,
    isLocal: true,
    responseHeaders: new Headers(),
    warn: () => undefined,
    say: () => undefined,
    countSuccess: () => undefined,
  }
  // `route` binds a handler to exactly this call, so arguments, context and result are of its types.
  const result = await route.handle(args as never, context as never)
  return (call.extra === undefined ? result : (result as { data: unknown }).data) as CallData<C>
}
