import { defaultCompletionRatio, lockedCompletionRatio } from '../../../billing/pricing/completion-ratio.ts'
import type { SourceOption } from '../import-source.ts'

/**
 * The options with the completion ratios that new-api charged: for some families its program has ratios that count whatever is
 * stored, and here the stored one counts.
 */
export function withChargedRatios(options: readonly SourceOption[]): readonly SourceOption[] {
  const ratios = mapOf(options, 'CompletionRatio')
  const models = [...Object.keys(ratios), ...Object.keys(mapOf(options, 'ModelRatio'))]
  const locked = models.flatMap((model) => {
    const ratio = lockedCompletionRatio(model)
    // Without a stored one, the default here is the same for most.
    const isCharged = !Object.hasOwn(ratios, model) && defaultCompletionRatio(model) === ratio
    return ratio === undefined || isCharged ? [] : [[model, ratio] as const]
  })
  if (locked.length === 0) return options
  const value = JSON.stringify({ ...ratios, ...Object.fromEntries(locked) })
  const isStored = options.some(({ key }) => key === 'CompletionRatio')
  if (!isStored) return [...options, { key: 'CompletionRatio', value, isPartial: true }]
  return options.map((option) => (option.key === 'CompletionRatio' ? { ...option, value } : option))
}

function mapOf(options: readonly SourceOption[], key: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(options.find((option) => option.key === key)?.value ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
