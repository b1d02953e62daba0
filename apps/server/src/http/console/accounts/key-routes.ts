import { calls } from '@tollgate/api'
import type { FindKey } from '../../../accounts/tokens/find-key.ts'
import type { FreezeKey } from '../../../accounts/tokens/freeze-key.ts'
import type { LeakReports } from '../../../accounts/tokens/leak-reports.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly findKey: FindKey
  readonly freezeKey: FreezeKey
}

/** Routes that find keys by their text, and freeze keys of others. */
export function keyRoutes({ findKey, freezeKey }: Dependencies): ConsoleRoute[] {
  const { keys } = calls
  return [
    route(keys.findOwn, ({ query, body }, { caller }) => findKey.findOwn(caller, body.key, query)),
    route(keys.find, ({ query, body }, { caller }) => findKey.find(caller, body.key, query)),
    route(keys.get, ({ params, query }, { caller }) => findKey.get(caller, params.id, query)),
    route(keys.freeze, ({ params, body }, { actor }) =>
      freezeKey.freeze(actor, params.id, { cause: 'administrator', note: body.note }),
    ),
    route(keys.unfreeze, ({ params }, { actor }) => freezeKey.unfreeze(actor, params.id)),
  ]
}

/** Route that secret scanners call by themselves. */
export function leakReportRoutes(leakReports: LeakReports): ConsoleRoute[] {
  return [
    route(
      calls.keys.reportLeaks,
      async ({ body }) => ({
        text: JSON.stringify(await leakReports.take(body)),
        contentType: 'application/json' as const,
      }),
      ({ body, headers }) =>
        leakReports.isSigned(body, {
          keyIdentifier: headers.get('github-public-key-identifier'),
          keySignature: headers.get('github-public-key-signature'),
          hmac: headers.get('x-hub-signature-256'),
        }),
    ),
  ]
}
