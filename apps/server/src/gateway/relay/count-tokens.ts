import { encodeTokenCount } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { refuseGroup, refuseModel } from './admission.ts'
import { firstResponse } from './attempts/attempts.ts'
import { type RelayCall, replyHeaders, warningHeaders } from './call.ts'
import { refuseBlockedPrompt } from './content-filter.ts'
import { nothingDelivered } from './dialects/token-count-request.ts'
import { acquireLimits, type LimitGrant } from './limits/limits.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import { createKeyRotation } from './routing/key-rotation.ts'
import type { RoutePlan } from './routing/plan.ts'
import { route } from './routing/route.ts'

/**
 * Counts the prompt of an admitted call: through a channel that serves the model and counts free of charge, else with our own
 * tokenizer. Charges nothing and adds no log row. Throws `RelayError`.
 */
export async function countTokens(call: RelayCall, deps: RelayDependencies): Promise<Reply> {
  refuseModel(call.caller, call.request.model)
  refuseGroup(call.caller, deps)
  const routePlan = route(call, deps)
  const grant = await acquireLimits(deps.rateLimits, call)
  let succeeded = false
  try {
    refuseBlockedPrompt(call, deps.contentFilter)
    const reply = (await countUpstream(call, routePlan, grant, deps)) ?? (await countHere(call))
    succeeded = true
    return reply
  } finally {
    grant.release({ succeeded })
  }
}

/** `undefined` when no channel can count. An upstream's error about the prompt itself reaches the caller. */
async function countUpstream(
  call: RelayCall,
  routePlan: RoutePlan,
  grant: LimitGrant,
  deps: RelayDependencies,
): Promise<Reply | undefined> {
  const entry = deps.inFlight.enter(call.connection)
  try {
    const { started } = await firstResponse(call, routePlan, unnoted(deps), {
      entry,
      grant,
      atMostOnce: false,
    })
    if (started.kind !== 'buffered') return undefined
    const { reading, dropped } = started
    return reading.usage && counted(call, reading.encode(reading.usage), warningHeaders(dropped))
  } catch (error) {
    if (error instanceof RelayError && !isFinal(error)) return undefined
    throw error
  } finally {
    entry.leave()
  }
}

/** Statuses that end the counting. Not 404: upstreams that speak a vendor's format may lack its counting endpoint. */
const finalStatuses: ReadonlySet<number> = new Set([400, 413, 422])

function isFinal({ code, status }: RelayError): boolean {
  // No channel counts, so the gateway does.
  if (code === 'unsupported_endpoint') return false
  return code === 'client_gone' || code === 'shutting_down' || finalStatuses.has(status)
}

/**
 * Hides the outcome of a count from channel health, because it is no evidence about a channel's responses; a count must not
 * take the one probe after a cooldown either.
 */
function unnoted(deps: RelayDependencies): RelayDependencies {
  const { health } = deps
  return {
    ...deps,
    health: { cooldownMs: (id, model) => health.cooldownMs(id, model), record: () => {} },
    keyRing: createKeyRotation({ admits: (id, _key, model) => health.cooldownMs(id, model) === 0 }),
    autoDisable: {
      judged: (error, channel) => deps.autoDisable.judged(error, channel),
      considerDisabling: () => {},
    },
  }
}

async function countHere(call: RelayCall): Promise<Reply> {
  const { inputTokens } = await call.request.countTokens(nothingDelivered)
  return counted(call, encodeTokenCount(call.request.format, inputTokens))
}

function counted(call: RelayCall, body: string | Uint8Array, headers = {}): Reply {
  return { status: 200, headers: { ...replyHeaders('application/json', call), ...headers }, body }
}
