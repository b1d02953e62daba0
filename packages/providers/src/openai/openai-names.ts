import type { ModelTurn } from '@tollgate/formats'
import { isModel } from '../models/model-facts.ts'
import { effortInName } from '../profile/efforts.ts'

/** The name as OpenAI knows it: without an effort at its end. */
export function openAiModelOf(model: string): string {
  return isModel('openai-reasons', model) ? (effortInName(model)?.model ?? model) : model
}

/** Recognises models of OpenAI that support the Responses API alone, at OpenAI and at hosts with OpenAI's API. */
export function isResponsesOnly(model: string): boolean {
  return isModel('openai-responses-only', openAiModelOf(model))
}

/** Recognises calls whose model would reason before it calls functions, which newer models do in the Responses API alone. */
export function isReasonedToolTurn(model: string, turn: () => ModelTurn): boolean {
  const name = openAiModelOf(model)
  if (!isModel('openai-reasons-in-responses', name)) return false
  const { offersFunctions, effort } = turn()
  const wanted = effort || effortInName(model)?.effort || defaultEffort(name)
  return offersFunctions && wanted !== 'none'
}

/** The effort of a call that says none, as far as OpenAI minds it beside functions. */
function defaultEffort(model: string): string {
  return isModel('openai-reasons-unasked', model) ? 'medium' : 'none'
}
