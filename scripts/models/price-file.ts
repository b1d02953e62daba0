import { z } from 'zod'
import type { ListPrice } from '../../packages/api/src/models/model-table.ts'

/** Figures of one model in a file: USD per million tokens, sizes in tokens. */
export interface ModelFigures {
  readonly context?: number
  readonly maxOutput?: number
  readonly price?: ListPrice
}

const figure = z.union([z.number(), z.string().transform(Number)]).pipe(z.number().min(0))
const perToken = figure.nullish()
const size = z.number().int().positive().nullish()

/** The map that many tools share: a model's costs for a token, by its name. */
const costMap = z.record(
  z.string(),
  z.looseObject({
    max_input_tokens: z.unknown().optional(),
    max_output_tokens: z.unknown().optional(),
    input_cost_per_token: perToken,
    output_cost_per_token: perToken,
    cache_read_input_token_cost: perToken,
    cache_creation_input_token_cost: perToken,
    input_cost_per_audio_token: perToken,
    output_cost_per_audio_token: perToken,
  }),
)

/** The response of OpenRouter's `/api/v1/models`. */
const modelList = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      context_length: size,
      top_provider: z.looseObject({ max_completion_tokens: size }).nullish(),
      pricing: z.looseObject({
        prompt: perToken,
        completion: perToken,
        input_cache_read: perToken,
        input_cache_write: perToken,
      }),
    }),
  ),
})

/** Reads a price file of either form. Throws a `ZodError` for any other. */
export function readPriceFile(content: unknown): ReadonlyMap<string, ModelFigures> {
  const list = modelList.safeParse(content)
  return list.success ? fromList(list.data) : fromMap(costMap.parse(content))
}

function fromList({ data }: z.output<typeof modelList>): ReadonlyMap<string, ModelFigures> {
  return new Map(
    data.map(({ id, context_length, top_provider, pricing }) => [
      bareName(id),
      figuresOf(context_length, top_provider?.max_completion_tokens, {
        input: pricing.prompt,
        output: pricing.completion,
        cacheRead: pricing.input_cache_read,
        cacheWrite: pricing.input_cache_write,
      }),
    ]),
  )
}

function fromMap(costs: z.output<typeof costMap>): ReadonlyMap<string, ModelFigures> {
  return new Map(
    Object.entries(costs).map(([name, cost]) => [
      name,
      figuresOf(
        size.catch(undefined).parse(cost.max_input_tokens),
        size.catch(undefined).parse(cost.max_output_tokens),
        {
          input: cost.input_cost_per_token,
          output: cost.output_cost_per_token,
          cacheRead: cost.cache_read_input_token_cost,
          cacheWrite: cost.cache_creation_input_token_cost,
          audioInput: cost.input_cost_per_audio_token,
          audioOutput: cost.output_cost_per_audio_token,
        },
      ),
    ]),
  )
}

type Costs = Readonly<Partial<Record<keyof ListPrice, number | null | undefined>>>

function figuresOf(
  context: number | null | undefined,
  maxOutput: number | null | undefined,
  costs: Costs,
): ModelFigures {
  const price = Object.fromEntries(
    Object.entries(costs).flatMap(([name, cost]) => (cost == null ? [] : [[name, perMillion(cost)]])),
  )
  return {
    ...(context != null && { context }),
    ...(maxOutput != null && { maxOutput }),
    ...(costs.input != null && { price }),
  }
}

/** Published prices have few digits; what lies beyond them came from the division. */
function perMillion(cost: number): number {
  return Number((cost * 1_000_000).toFixed(6))
}

/** Returns the id without the vendor of the model, as in `openai/gpt-4o`. */
function bareName(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}
