import type { JsonObject } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken, responseOwner } from '../../gateway/relay/admission.ts'
import { orDatabaseUnavailable } from '../../gateway/relay/dialects/continue-response.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import type { StoredResponses } from '../../gateway/stored-responses/stored-responses.ts'
import type { ResponseOwner } from '../../store/work/stored-responses.ts'
import { keyOf } from './caller-key.ts'
import { jsonReply } from './error-reply.ts'
import { invalidParameter, pageSize } from './model-lists.ts'
import { pathNeeds } from './path-needs.ts'
import type { StoredAction } from './paths.ts'
import type { RelayContext } from './relay-context.ts'

interface StoredDependencies {
  readonly admission: AdmissionDependencies
  readonly stored: StoredResponses
}

type Serve = (
  id: string,
  owner: ResponseOwner,
  query: URLSearchParams,
  stored: StoredResponses,
) => Promise<unknown>

const actions: Readonly<Record<StoredAction, Serve>> = {
  async show(id, owner, query, stored) {
    if (query.get('stream') === 'true')
      throw invalidParameter('stream', 'stored responses are not streamed', 'unsupported_parameter')
    return found(id, await stored.find(owner, id))
  },
  async delete(id, owner, _query, stored) {
    if (!(await stored.delete(owner, id))) throw notFound(id)
    return { id, object: 'response', deleted: true }
  },
  async 'list-input'(id, owner, query, stored) {
    return inputPage(found(id, await stored.findInput(owner, id)), query)
  },
  async cancel(id, owner, _query, stored) {
    found(id, await stored.find(owner, id))
    throw new RelayError(
      'invalid_request',
      'Only background responses can be cancelled, and this response is not one: its caller waited for it.',
      { param: 'response_id', upstreamCode: 'not_a_background_response' },
    )
  },
}

/** Serves stored responses to the key that created them: read, list input items, delete. Refuses to cancel. */
export async function serveStored(
  context: RelayContext,
  { action, id }: { readonly action: StoredAction; readonly id: string },
  deps: StoredDependencies,
): Promise<Reply> {
  const caller = await admitToken(
    keyOf(context, 'responses'),
    pathNeeds['stored-response'],
    context,
    deps.admission,
  )
  const query = new URLSearchParams(context.query)
  const serving = actions[action](id, responseOwner(caller), query, deps.stored)
  return jsonReply(context, await orDatabaseUnavailable(serving))
}

function found<Value>(id: string, value: Value | undefined): Value {
  if (value === undefined) throw notFound(id)
  return value
}

const visibleLength = 128

function notFound(id: string): RelayError {
  return new RelayError(
    'stored_response_not_found',
    `Response with id '${id.slice(0, visibleLength)}' not found.`,
    { param: 'response_id' },
  )
}

const sizes = { default: 20, max: 100 } as const

/** https://platform.openai.com/docs/api-reference/responses/input-items */
function inputPage(items: readonly JsonObject[], query: URLSearchParams) {
  const limit = pageSize(query, 'limit', sizes)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('order', 'it must be asc or desc')
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = startOf(ordered, query.get('after') ?? '')
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  }
}

function startOf(items: readonly JsonObject[], after: string): number {
  if (after === '') return 0
  const position = items.findIndex(({ id }) => id === after)
  if (position < 0) throw invalidParameter('after', 'there is no such item in the list')
  return position + 1
}
