import { type JsonEdits, RequestFault, type RequestText } from '@tollgate/formats'

/** Fields of a completion that change the response, with what they are when they ask for nothing. */
const significantFields: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  best_of: [1],
  echo: [false],
  logprobs: [],
  suffix: [''],
  stop: [],
}

/**
 * Leaves out the fields of OpenAI's completions that an upstream with few fields does not know.
 * @throws RequestFault for a prompt other than text, and for a field whose loss would change the response
 */
export function knownCompletionFields({ body }: RequestText, known: ReadonlySet<string>): JsonEdits {
  if (typeof body.prompt !== 'string') throw refused('prompt', 'it takes one text')
  const unknown = Object.keys(body).filter((name) => !known.has(name))
  const lost = unknown.find((name) => asksFor(name, body[name]))
  if (lost !== undefined) throw refused(lost, 'it has no such field')
  return new Map(unknown.map((name) => [name, undefined]))
}

function asksFor(name: string, value: unknown): boolean {
  const nothing = Object.hasOwn(significantFields, name) ? significantFields[name] : undefined
  return nothing !== undefined && value != null && !nothing.includes(value)
}

function refused(param: string, reason: string): RequestFault {
  const message = `${param} is not supported by the upstream that serves the model: ${reason}`
  return new RequestFault(message, param, 'unsupported_parameter')
}
