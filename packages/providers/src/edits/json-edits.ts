import { isObject, type JsonEdits, memberText, type RequestQuirks, type RequestText } from '@tollgate/formats'

export const noEdits: JsonEdits = new Map()

/** The value under another name, byte for byte; nothing when the caller did not send it or sent both. */
export function renameField(request: RequestText, from: string, to: string): JsonEdits {
  const member = request.scan.members.get(from)
  // A zero limit means none and is dropped anyway.
  if (member === undefined || request.body[from] === 0 || request.body[to] != null) return noEdits
  return new Map([
    [from, undefined],
    [to, memberText(request.text, member)],
  ])
}

/** Upstreams that take a number only inside an interval get the nearest value they take. */
export function clampNumber(
  { body }: RequestText,
  name: 'top_p' | 'temperature',
  least: number,
  most: number,
): JsonEdits {
  const value = body[name]
  if (typeof value !== 'number' || (value >= least && value <= most)) return noEdits
  return new Map([[name, JSON.stringify(value < least ? least : most)]])
}

/** The fields taken out, as far as the caller sent them. */
export function removeFields({ body }: RequestText, names: readonly string[]): JsonEdits {
  const sent = names.filter((name) => body[name] != null)
  return sent.length === 0 ? noEdits : new Map(sent.map((name) => [name, undefined]))
}

/** Several edits as one; the later wins. */
export function mergeEdits(...edits: readonly JsonEdits[]): JsonEdits {
  return new Map(edits.flatMap((each) => [...each]))
}

/** How hard to think, said by the end of the model's name: `o3-mini-high`. Never `-mini`, `-pro`, `-max`. */
const effortSuffix = /-(none|minimal|low|medium|high|xhigh)$/

/** Operators' habit: the effort in the name, which vendors want in a field of its own. */
export function effortFromName(request: RequestText, model: string): JsonEdits {
  const suffix = effortSuffix.exec(model)
  if (suffix === null) return noEdits
  const name: [string, string] = ['model', JSON.stringify(model.slice(0, suffix.index))]
  const wanted = request.body.reasoning_effort != null
  return new Map(wanted ? [name] : [name, ['reasoning_effort', JSON.stringify(suffix[1])]])
}

/** Families that think: they take `max_completion_tokens` only. https://platform.openai.com/docs/guides/reasoning */
const reasoningModel = /^(o[1-9]|gpt-([5-9]|[1-9]\d))/

/** What OpenAI's models that think want said otherwise, at OpenAI and where its models are hosted. */
export const reasoningFields: RequestQuirks = (request, model) => {
  if (searchModel.test(model)) return removeFields(request, ['temperature'])
  if (!reasoningModel.test(model)) return noEdits
  const named = effortFromName(request, model)
  const effort = request.body.reasoning_effort ?? effortSuffix.exec(model)?.[1]
  return mergeEdits(
    renameField(request, 'max_tokens', 'max_completion_tokens'),
    withoutSampling(request, model, effort),
    named,
  )
}

const searchModel = /-search-preview/
/** Their names say that they do not think, or they do so when they are asked to. */
const samplingModel = /^gpt-(5-chat|5\.[1-9]|[6-9]|[1-9]\d)/
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

/** A model that thinks refuses to be told how to choose its words, but for what it does anyway. */
function withoutSampling({ body }: RequestText, model: string, effort: unknown): JsonEdits {
  const thinks = effort !== undefined && effort !== null && effort !== 'none'
  if (samplingModel.test(model) && !thinks) return noEdits
  const refused = samplingFields.filter(
    (field) => body[field] != null && body[field] !== (defaultSampling[field] ?? 0),
  )
  return new Map(refused.map((field) => [field, undefined]))
}

/** The same for Responses, which have the effort among what they say of reasoning. */
export const responsesFields: RequestQuirks = (request, model) => {
  if (!reasoningModel.test(model)) return noEdits
  const wanted = isObject(request.body.reasoning) ? request.body.reasoning : {}
  const suffix = effortSuffix.exec(model)?.[1]
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
  return reasoningModel.test(model) ? model.replace(effortSuffix, '') : model
}

/** https://platform.openai.com/docs/models */
const responsesOnly =
  /^(gpt-5(\.\d+)?-pro|o1-pro|o3-pro|codex-mini-latest$|computer-use-preview)|-codex\b|deep-research/

/** Whether a model of OpenAI answers to Responses alone, wherever OpenAI's models are hosted as OpenAI does. */
export function isResponsesOnly(model: string): boolean {
  return responsesOnly.test(openAiModelOf(model))
}
