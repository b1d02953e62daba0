import { type ToolCalls, toolCallsOf } from '../costs/charged-tools.ts'
import { serviceOf } from '../costs/service.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import { type Usage, withCosts } from '../usage.ts'
import { member } from './fields.ts'

/** What a response was grounded in, as far as it has been read. */
export interface Grounding {
  readonly queries: ReadonlySet<string>
  readonly places: boolean
}

export const noGrounding: Grounding = { queries: new Set(), places: false }

/** The same with what another chunk, or a buffered response, tells of it. */
export function groundingIn(before: Grounding, body: JsonObject): Grounding {
  return listOf(body.candidates).reduce<Grounding>((known, candidate) => {
    const metadata = objectOf(member(objectOf(candidate), 'groundingMetadata'))
    const queries = ['webSearchQueries', 'imageSearchQueries'].flatMap((name) =>
      listOf(member(metadata, name)).map(textOf).filter(Boolean),
    )
    const chunks = listOf(member(metadata, 'groundingChunks')).map(objectOf)
    if (queries.length + chunks.length === 0) return known
    return {
      queries: new Set([...known.queries, ...queries]),
      places: known.places || chunks.some(({ maps }) => maps !== undefined),
    }
  }, before)
}

/** Models before the third charge by the grounded prompt, those since by the query. */
const byPrompt = /gemini-[12]\b/

/**
 * The usage with what is charged beside its tokens.
 * https://ai.google.dev/gemini-api/docs/pricing
 */
export function withGrounding(usage: Usage, grounding: Grounding, body: JsonObject, model: string): Usage {
  const metadata = objectOf(member(body, 'usageMetadata'))
  const tier =
    member(body, 'serviceTier') ?? member(metadata, 'serviceTier') ?? member(metadata, 'trafficType')
  return withCosts(usage, { toolCalls: callsOf(grounding, model), service: serviceOf({ tier }) })
}

function callsOf({ queries, places }: Grounding, model: string): ToolCalls | undefined {
  if (queries.size === 0 && !places) return undefined
  const searches = byPrompt.test(model) ? Math.min(1, queries.size) : queries.size
  return toolCallsOf({ google_search: searches, google_maps: places ? 1 : 0 })
}
