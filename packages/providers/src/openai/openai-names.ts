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
