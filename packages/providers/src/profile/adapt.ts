import type { EncodeTarget, JsonEdits, RequestText } from '@tollgate/formats'
import { Draft, type Step } from './draft.ts'
import { fieldSteps } from './field-steps.ts'
import { formatLimits } from './format-limits.ts'
import { limitSteps } from './limit-steps.ts'
import { messageStep } from './message-steps.ts'
import { reasoningPaths, reasoningStep, samplingStep, translatedReasoningSteps } from './reasoning-steps.ts'
import type { ResolvedProfile } from './resolve-profile.ts'
import { schemaProfileOf } from './schema-profiles.ts'
import type { Limits } from './target-profile.ts'

/** Steps that fit bodies of one format to one model of a provider: compiled once, run for each call. */
export interface AdaptPlan {
  readonly steps: readonly Step[]
  /** Steps for bodies that the gateway wrote: limits of the format, where the vendor documents none. */
  readonly translatedSteps: readonly Step[]
  /**
   * Step and members that control thinking in the body, for edits that come later; absent where one member alone does, or none.
   */
  readonly reasoning?: { readonly step: Step; readonly paths: readonly string[] }
  /** Facts of the target that the encoder of a translated body needs. */
  readonly encoding: Pick<EncodeTarget, 'foreignReasoning' | 'schemas'>
}

/** Target of a plan. */
export interface PlanTarget {
  /** Format of the bodies. */
  readonly format: string
  /** The model's name upstream. */
  readonly model: string
  /** The provider's name as callers read it. */
  readonly vendor: string
  /** See `ProviderProfile.effortSuffix`. */
  readonly effortSuffix?: boolean
}

/** A body as its target takes it. */
export interface Adaptation {
  readonly edits: JsonEdits
  /** Names of fields that were left out and change the response little. */
  readonly dropped: readonly string[]
  /** Names of tools that were shortened, with the caller's own name for each; empty for most calls. */
  readonly toolNames: ReadonlyMap<string, string>
}

/**
 * Compiles what a target accepts into the steps that fit a body to it; `undefined` where the profile has nothing to say.
 */
export function compilePlan(profile: ResolvedProfile, target: PlanTarget): AdaptPlan | undefined {
  const { format, vendor } = target
  const { limits = {} } = profile
  const steps = [...formSteps(profile, target), ...limitSteps(limits, format, vendor)]
  const translatedSteps = [
    ...translatedReasoningSteps(profile.reasoning, format),
    ...limitSteps(undocumented(formatLimits(format), limits), format, vendor),
  ]
  const encoding = encodingFor(profile, format)
  const reasoning = reasoningOf(profile, target)
  const isEmpty = steps.length + translatedSteps.length + Object.keys(encoding).length === 0
  if (isEmpty) return undefined
  return { steps, translatedSteps, encoding, ...(reasoning && { reasoning }) }
}

function reasoningOf(
  { reasoning: rules }: ResolvedProfile,
  { format, model, effortSuffix = false }: PlanTarget,
): AdaptPlan['reasoning'] {
  const step = rules && reasoningStep(rules, format, model, effortSuffix)
  return step && { step, paths: reasoningPaths(rules, format) }
}

/** Schemas of OpenAI's formats are read in many ways; other formats have one vendor each. */
function encodingFor(profile: ResolvedProfile, format: string): AdaptPlan['encoding'] {
  const isOpenAi = format === 'openai-chat' || format === 'openai-responses'
  return {
    ...(isOpenAi && { schemas: schemaProfileOf(profile.schema) }),
    ...(requiresReasoning(profile) && { foreignReasoning: true }),
  }
}

/** Decides by the profile that turns of some kind must carry reasoning, of any author. */
function requiresReasoning({ history }: ResolvedProfile): boolean {
  return history?.reasoning === 'required' || history?.turns !== undefined
}

/** The limits of a format that the vendor says nothing of. */
function undocumented(standard: Limits, known: Limits): Limits {
  return Object.fromEntries(Object.entries(standard).filter(([name]) => !Object.hasOwn(known, name)))
}

/** The steps of a body's fields and messages, in their order: how it thinks decides what else the model takes. */
function formSteps(
  profile: ResolvedProfile,
  { format, model, vendor, effortSuffix = false }: PlanTarget,
): readonly Step[] {
  const { reasoning, sampling, history } = profile
  const fields = format === 'openai-responses' ? profile.responses : profile.fields
  const isChat = format === 'openai-chat'
  const isOpenAi = isChat || format === 'openai-responses'
  const namesSampling = isOpenAi || format === 'anthropic-messages'
  const steps: (Step | undefined)[] = [
    reasoning && reasoningStep(reasoning, format, model, effortSuffix),
    namesSampling && sampling ? samplingStep(sampling) : undefined,
    ...(isOpenAi && fields !== undefined ? fieldSteps(fields, vendor) : []),
    isChat ? messageStep(fields?.messages, history) : undefined,
  ]
  return steps.filter((step) => step !== undefined)
}

const nothing: readonly string[] = []

/**
 * Fits a body to its target: fits what loses nothing, leaves out by name what loses little.
 * @param edits made of the body before
 * @param isTranslated the gateway wrote the body in the target's format
 * @throws RequestFault for what the target refuses and whose loss would change the response
 */
export function adapt(
  { steps, translatedSteps }: AdaptPlan,
  request: RequestText,
  edits: JsonEdits,
  isTranslated: boolean,
): Adaptation {
  const draft = new Draft(request, edits)
  for (const step of steps) step(draft)
  if (isTranslated) for (const step of translatedSteps) step(draft)
  const { dropped, toolNames } = draft
  return { edits: draft.edits, dropped: dropped.size === 0 ? nothing : [...dropped], toolNames }
}
