import { defaults } from '@tollgate/api/settings'

/** Price of output relative to input of a model family, where no ratio is stored. */
interface FamilyRatio {
  readonly matches: (model: string) => boolean
  readonly ratio: number
  /** Older gateways of this kind charge it whatever their operators store. */
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

const familyOf = (model: string) => families.find(({ matches }) => matches(model))

/**
 * The completion ratio that older gateways of this kind charged for a model whatever their operators had stored;
 * `undefined` where theirs counted. Here a stored ratio always counts: this is for taking over what they charged.
 */
export function lockedCompletionRatio(model: string): number | undefined {
  // There, too, a stored ratio counted for a vendor's path.
  if (model.includes('/')) return undefined
  const family = familyOf(model)
  return family?.locked ? family.ratio : undefined
}

/**
 * The price of an output token in input tokens while no ratio is stored for the model: as its family was sold, or as the
 * model itself is where its family's ratio has become another.
 */
export function defaultCompletionRatio(model: string): number {
  const family = familyOf(model)
  if (family === undefined) return 1
  return (family.locked ? soldRatios.get(model) : undefined) ?? family.ratio
}

const soldRatios: ReadonlyMap<string, number> = new Map(Object.entries(defaults.CompletionRatio))

/**
 * The price of an output token in input tokens: the stored ratio, whichever model it is for.
 * @param map the operator's CompletionRatio
 */
export function completionRatioOf(model: string, map: Readonly<Record<string, number>>): number {
  const stored = Object.hasOwn(map, model) ? map[model] : undefined
  return stored ?? defaultCompletionRatio(model)
}
