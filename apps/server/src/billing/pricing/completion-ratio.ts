import { defaults } from '@tollgate/api/settings'

/** Built-in price of output relative to input of a model family. */
interface FamilyRatio {
  readonly matches: (model: string) => boolean
  readonly ratio: number
  /** The operator's map cannot change it: the family's published prices are fixed. */
  readonly locked: boolean
}

const is =
  (...names: readonly string[]) =>
  (model: string) =>
    names.includes(model)
const begins =
  (...starts: readonly string[]) =>
  (model: string) =>
    starts.some((start) => model.startsWith(start))
const contains =
  (...parts: readonly string[]) =>
  (model: string) =>
    parts.some((part) => model.includes(part))
const like = (pattern: RegExp) => (model: string) => pattern.test(model)

const locked = (matches: FamilyRatio['matches'], ratio: number): FamilyRatio => ({
  matches,
  ratio,
  locked: true,
})
const preset = (matches: FamilyRatio['matches'], ratio: number): FamilyRatio => ({
  matches,
  ratio,
  locked: false,
})

/** First match counts, so the special names of a family stand before the family. */
const families: readonly FamilyRatio[] = [
  locked(is('gpt-4o-2024-05-13'), 3),
  locked(like(/^gpt-4o(?!-gizmo)(?!.*-all$)/), 4),
  locked(begins('gpt-4.5-preview'), 2),
  preset(begins('gpt-4.1'), 4),
  locked(like(/^gpt-4-turbo|gpt-4-110[56]$/), 3),
  preset(like(/^gpt-4(?!.*(-all$|-gizmo-))/), 2),
  locked(begins('gpt-5'), 8),
  locked(begins('o1', 'o3'), 4),
  preset(begins('o4'), 4),
  locked(is('chatgpt-4o-latest'), 3),
  locked(contains('claude-instant-1', 'claude-2'), 3),
  locked(contains('claude-3'), 5),
  locked(like(/claude-(opus|sonnet|haiku)-4/), 5),
  locked(like(/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/), 3),
  locked(like(/^gpt-3\.5.*1106$/), 2),
  locked(begins('gpt-3.5'), 4 / 3),
  locked(begins('mistral-'), 3),
  locked(begins('gemini-1.5', 'gemini-2.0'), 4),
  locked(begins('gemini-2.5-pro-preview'), 8),
  preset(begins('gemini-2.5-pro'), 8),
  preset(begins('gemini-2.5-flash-lite'), 4),
  preset(like(/^gemini-2\.5-flash-preview.*-nothinking$/), 4),
  preset(begins('gemini-2.5-flash-preview'), 3.5 / 0.15),
  preset(begins('gemini-2.5-flash'), 2.5 / 0.3),
  preset(begins('gemini-'), 4),
  locked(is('command-r'), 3),
  locked(is('command-r-plus'), 5),
  locked(is('command-r-08-2024', 'command-r-plus-08-2024'), 4),
  preset(begins('command'), 4),
  locked(is('deepseek-chat', 'deepseek-reasoner'), 4),
  locked(begins('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), 2),
  locked(is('llama2-70b-4096'), 0.8 / 0.64),
  locked(is('llama3-8b-8192'), 2),
  locked(is('llama3-70b-8192'), 0.79 / 0.59),
]

/**
 * Whether the operator's map is ignored for this model, and the figure that stands when it has none. A model that is sold
 * at another ratio than its family was is not bound by it.
 */
export function builtInCompletionRatio(model: string): { readonly ratio: number; readonly locked: boolean } {
  const family = families.find(({ matches }) => matches(model))
  if (family === undefined) return { ratio: 1, locked: false }
  const { ratio, locked } = family
  const sold = locked ? soldRatios.get(model) : undefined
  return sold === undefined || sold === ratio ? { ratio, locked } : { ratio: sold, locked: false }
}

const soldRatios: ReadonlyMap<string, number> = new Map(Object.entries(defaults.CompletionRatio))

/**
 * What an output token costs in input tokens.
 * @param map the operator's CompletionRatio; names with a `/` (a vendor's path) are the operator's own to price
 */
export function completionRatioOf(model: string, map: Readonly<Record<string, number>>): number {
  const chosen = Object.hasOwn(map, model) ? map[model] : undefined
  if (chosen !== undefined && model.includes('/')) return chosen
  const builtIn = builtInCompletionRatio(model)
  return builtIn.locked ? builtIn.ratio : (chosen ?? builtIn.ratio)
}
