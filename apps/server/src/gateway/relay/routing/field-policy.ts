import { type CostlyField, privateFeatures } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { switchFeatures } from '../../../channels/routing/channel-fields.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { ModelRequest } from '../call.ts'
import { RelayError } from '../relay-error.ts'

/** Decision of a channel on a call's costly fields. */
export interface FieldVerdict {
  /** The field for which the channel does not serve the call. */
  readonly refused?: CostlyField
  readonly stripped: readonly CostlyField[]
}

/** Tokens from which Anthropic takes prompts of those alone who ask for it, and charges more. */
const defaultContext = 200_000

export const nothingStripped: readonly CostlyField[] = []

/** Predicate of a field with a price of its own, by which it is charged. */
export type IsPriced = (field: CostlyField) => boolean

/**
 * Judges a request's fields for one channel after the other: what is priced for the model or allowed by the channel passes,
 * everything else is refused, or left out where the channel says so or the call does without it. `undefined` for a
 * request that has no such field.
 */
export function fieldJudge(
  request: Pick<ModelRequest, 'format' | 'costlyFields' | 'roughPromptTokens'>,
  isPriced: IsPriced,
): ((channel: RoutedChannel, operation: Pick<Operation, 'format'>) => FieldVerdict) | undefined {
  const { format, costlyFields = nothingStripped } = request
  if (costlyFields.length === 0) return undefined
  const isRequested = ({ feature }: CostlyField) =>
    feature !== 'long-context' || request.roughPromptTokens() > defaultContext
  return ({ setting }, operation) => {
    const { allowed, strips } = setting.fields
    const withheld = costlyFields.filter(
      (field) =>
        isRequested(field) &&
        isCarried(field, format, operation.format) &&
        !allowed.has(field.feature) &&
        !isPriced(field),
    )
    const refused = withheld.find(
      ({ feature, isOptional }) => !strips && !isOptional && !privateFeatures.has(feature),
    )
    return refused === undefined ? { stripped: withheld } : { refused, stripped: nothingStripped }
  }
}

/** Decides whether a body for an upstream of a format can carry a field of the caller's format. */
export function isCarried(
  { reaches }: CostlyField,
  from: ModelRequest['format'],
  to: Operation['format'],
): boolean {
  if (reaches === 'every') return true
  return reaches === 'gemini' ? to === 'gemini' && from !== 'gemini' : from === to
}

/** Names of what was left out, as the caller is warned of it: what concerns privacy is left out without a word. */
export function warnedFields(stripped: readonly CostlyField[]): readonly string[] {
  return stripped.flatMap(({ feature, param, value }) => {
    if (privateFeatures.has(feature)) return []
    return [feature === 'hosted-tool' && param.endsWith(']') ? `${param} (${value})` : param]
  })
}

/** No channel that serves the model lets the field pass. */
export function unpricedField({ feature, param, value }: CostlyField): RelayError {
  const name = Object.entries(switchFeatures).find(([, each]) => each === feature)?.[0] ?? ''
  const what = value === '' || param.endsWith(value) ? param : `${param} (${value.slice(0, maxVisible)})`
  return new RelayError(
    'unpriced_field',
    `${what} changes what the provider charges and has no price here: leave it out, or ask the administrator to price it or to switch on ${name} for a channel of this model.`,
    { param, messageParams: { switch: name } },
  )
}

const maxVisible = 64
