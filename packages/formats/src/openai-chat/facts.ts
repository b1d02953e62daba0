import { type RequestFacts, RequestFault, type RequestPath } from '../canonical/codec.ts'
import { type Checks, runChecks } from '../field-checks.ts'
import { type JsonObject, objectOf, textOf } from '../json-value.ts'
import { chatChecks, chatTypes, checkMessages, checkModel } from './request-checks.ts'

/**
 * What the gateway must know of a chat call, after the checks that every chat call passes.
 * @throws RequestFault for what the gateway cannot work with
 */
export function inspectRequest(received: JsonObject, path: RequestPath): RequestFacts {
  const body = withPathModel(received, path)
  const problem =
    checkModel(body.model) ??
    checkMessages(body.messages) ??
    runChecks(body, chatChecks) ??
    runChecks(body, chatTypes)
  if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
  const candidates = choicesIn(body, chatChecks)
  const limit = outputLimitIn(body, chatChecks)
  const stream = body.stream === true
  return {
    model: textOf(body.model),
    stream,
    includeUsage: stream && asksForUsage(body),
    maxOutputTokens: limit === undefined ? undefined : limit * candidates,
    candidates,
    reasoningEffort: effortIn(body),
  }
}

/** The body with the model that its path names, where it names none itself. */
function withPathModel(body: JsonObject, { model }: RequestPath): JsonObject {
  return model === undefined || typeof body.model === 'string' ? body : { ...body, model }
}

export function asksForUsage(body: JsonObject): boolean {
  return objectOf(body.stream_options).include_usage === true
}

/** The larger of the two limits for one answer; 0 counts as none. */
export function outputLimitIn(body: JsonObject, checks: Checks): number | undefined {
  const limit = Math.max(
    numberIn(body, 'max_tokens', checks),
    numberIn(body, 'max_completion_tokens', checks),
  )
  return limit === 0 ? undefined : limit
}

/** How many choices are made of one prompt, and may be charged. */
export function choicesIn(body: JsonObject, checks: Checks): number {
  return Math.max(1, numberIn(body, 'n', checks), numberIn(body, 'best_of', checks))
}

/** Empty when the caller did not say. */
export function effortIn(body: JsonObject): string {
  return textOf(body.reasoning_effort) || textOf(objectOf(body.reasoning).effort)
}

/** A field that is not among the checked ones decides nothing. */
function numberIn(body: JsonObject, key: string, checks: Checks): number {
  const value = body[key]
  return typeof value === 'number' && Object.hasOwn(checks, key) ? value : 0
}
