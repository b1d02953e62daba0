import type { CallArguments, CallData, EnvelopeCall } from '@tollgate/api'
import type { Caller, ConsoleRoute, HandlerResults } from '../route.ts'

export const rootCaller: Caller = {
  userId: 1,
  username: 'root',
  role: 'root',
  group: 'default',
  via: 'session',
  provenAt: 0,
}
export const adminCaller: Caller = { ...rootCaller, userId: 2, username: 'admin', role: 'admin' }
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
    actor: caller && { ...caller, address: '127.0.0.1' },
    language: 'en',
    clientAddress: '127.0.0.1',
    requestHeaders: new Headers(),
    sessionId: undefined,
    secure: false,
    isLocal: true,
    responseHeaders: new Headers(),
  }
  // `route` binds a handler to exactly this call, so arguments, context and answer are of its types.
  const response = (await route.handle(args as never, context as never)) as HandlerResults<C>['envelope']
  return response.data
}
