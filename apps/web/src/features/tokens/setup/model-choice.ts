import type { PricingRow } from '@tollgate/api'

/** Facts of a model that decide whether a program is set up with it. */
export type ChoosableModel = Pick<
  PricingRow,
  | 'model_name'
  | 'owner_by'
  | 'capabilities'
  | 'context_size'
  | 'released'
  | 'quota_type'
  | 'model_ratio'
  | 'completion_ratio'
  | 'supported_endpoint_types'
>

/** Facts that a program asks of a model; each counts as far as some callable model has it. */
export interface ProgramNeeds {
  /** The provider whose format the program speaks. */
  readonly vendor?: string
  /** Calls functions. */
  readonly tools?: boolean
  /** Tokens of input and output together. */
  readonly context?: number
}

interface ModelChoice {
  readonly main: string
  /** The cheapest model that meets the same needs; the main one where none is cheaper. */
  readonly small: string
}

/** Stands in examples while the key can call nothing. */
const placeholderModel = 'model-name'

type Listed = ChoosableModel & Pick<PricingRow, 'enable_groups' | 'available' | 'unpriced'>

/**
 * Returns the models that a key can call for a conversation, those with a price; all of them where none has one.
 * @param group the group of the key's calls
 * @param limits names that the key is limited to; `undefined` for any
 */
export function callableModels(
  rows: readonly Listed[],
  group: string,
  limits: readonly string[] | undefined,
): readonly Listed[] {
  const callable = rows.filter(
    ({ model_name, enable_groups, available }) =>
      available && enable_groups.includes(group) && (limits === undefined || limits.includes(model_name)),
  )
  const chatting = preferred(callable, chats)
  return preferred(chatting, ({ unpriced }) => unpriced !== true)
}

/** A model outside the table of models chats where its endpoint is that of chat. */
function chats({ capabilities, supported_endpoint_types: endpoints }: ChoosableModel): boolean {
  return capabilities?.includes('chat') ?? (endpoints.length === 0 || endpoints.includes('openai'))
}

/** A model above this many times the cheapest output price is no model for small work. */
const mainPriceFactor = 2
const yearMs = 366 * 86_400_000

/**
 * Chooses the models of a program by the facts of those that the key can call: what the program needs, then the last year of
 * releases. The cheapest does small work, the newest of the dearer ones the rest.
 */
export function chooseModels(models: readonly ChoosableModel[], needs: ProgramNeeds): ModelChoice {
  const fitting = current(
    [
      ({ owner_by }: ChoosableModel) => needs.vendor === undefined || owner_by === needs.vendor,
      ({ capabilities = [] }: ChoosableModel) => needs.tools !== true || capabilities.includes('tools'),
      ({ context_size = 0 }: ChoosableModel) => context_size >= (needs.context ?? 0),
    ].reduce(preferred<ChoosableModel>, models),
  )
  const [small] = fitting.toSorted((a, b) => outputPrice(a) - outputPrice(b) || byRelease(a, b))
  if (small === undefined) return { main: placeholderModel, small: placeholderModel }
  const dearer = preferred(
    fitting,
    (model) => outputPrice(model) > 0 && outputPrice(model) >= outputPrice(small) * mainPriceFactor,
  )
  const [main = small] = dearer.toSorted((a, b) => byRelease(a, b) || outputPrice(b) - outputPrice(a))
  return { main: main.model_name, small: small.model_name }
}

/** Returns those that pass, or all where none does. */
function preferred<Model>(models: readonly Model[], passes: (model: Model) => boolean): readonly Model[] {
  const passing = models.filter(passes)
  return passing.length > 0 ? passing : models
}

/** Returns the models of the year before the newest release. */
function current(models: readonly ChoosableModel[]): readonly ChoosableModel[] {
  const newest = Math.max(0, ...models.map(releasedAt))
  return preferred(models, (model) => newest > 0 && releasedAt(model) >= newest - yearMs)
}

/** Newest first; models without a date last. */
function byRelease(left: ChoosableModel, right: ChoosableModel): number {
  return releasedAt(right) - releasedAt(left)
}

function releasedAt({ released }: ChoosableModel): number {
  return released === undefined ? 0 : Date.parse(released)
}

/** Output price per token, in quota units; a price per call makes no small work cheap. */
function outputPrice({ quota_type, model_ratio, completion_ratio }: ChoosableModel): number {
  return quota_type === 0 ? model_ratio * completion_ratio : Number.POSITIVE_INFINITY
}
