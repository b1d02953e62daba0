import { isObject, type JsonEdits, type RequestQuirks, type RequestText } from '@tollgate/formats'
import { isModel } from '../models/model-facts.ts'
import {
  effortFromName,
  effortOf,
  mergeEdits,
  noEdits,
  removeFields,
  renameField,
  withoutEffort,
} from './json-edits.ts'

/** What OpenAI's models that think want said otherwise, at OpenAI and where its models are hosted. */
export const reasoningFields: RequestQuirks = (request, model) => {
  if (isModel('openai-searches', model)) return removeFields(request, ['temperature'])
  if (!isModel('openai-reasons', model)) return noEdits
  const named = effortFromName(request, model)
  const effort = request.body.reasoning_effort ?? effortOf(model)
  return mergeEdits(
    renameField(request, 'max_tokens', 'max_completion_tokens'),
    withoutSampling(request, model, effort),
    named,
  )
}

const samplingFields = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
] as const
const defaultSampling: Readonly<Partial<Record<string, number>>> = { temperature: 1, top_p: 1 }

/** A reasoning model refuses sampling parameters other than its defaults. */
function withoutSampling({ body }: RequestText, model: string, effort: unknown): JsonEdits {
  const thinks = effort !== undefined && effort !== null && effort !== 'none'
  if (isModel('openai-samples', model) && !thinks) return noEdits
  const refused = samplingFields.filter(
    (field) => body[field] != null && body[field] !== (defaultSampling[field] ?? 0),
  )
  return new Map(refused.map((field) => [field, undefined]))
}

/** The same for Responses, which have the effort among what they say of reasoning. */
export const responsesFields: RequestQuirks = (request, model) => {
  if (!isModel('openai-reasons', model)) return noEdits
  const wanted = isObject(request.body.reasoning) ? request.body.reasoning : {}
  const suffix = effortOf(model)
  const effort = wanted.effort ?? suffix
  const sampling = withoutSampling(request, model, effort)
  if (suffix === undefined) return sampling
  return mergeEdits(
    sampling,
    new Map([
      ['model', JSON.stringify(openAiModelOf(model))],
      ['reasoning', JSON.stringify({ ...wanted, effort })],
    ]),
  )
}

/** The name as OpenAI knows it: without an effort at its end. */
export function openAiModelOf(model: string): string {
  return isModel('openai-reasons', model) ? withoutEffort(model) : model
}

/** Whether a model of OpenAI supports the Responses API alone, at OpenAI and at hosts with OpenAI's API. */
export function isResponsesOnly(model: string): boolean {
  return isModel('openai-responses-only', openAiModelOf(model))
}
