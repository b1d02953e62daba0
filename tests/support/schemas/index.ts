import { z } from 'zod'
import * as messages from './anthropic-messages.ts'
import * as gemini from './gemini.ts'
import * as chat from './openai-chat.ts'
import * as responses from './openai-responses.ts'

/** Schemas of responses that a dialect's vendor has published. */
interface ResponseSchema {
  readonly buffered: z.ZodType
  /** An event of a stream, one that ends it with an error included. */
  readonly event: z.ZodType
}

export type ResponseDialect = keyof typeof responseSchemas

export const responseSchemas = {
  'openai-chat': { buffered: chat.completion, event: z.union([chat.chunk, chat.failure]) },
  'openai-responses': { buffered: responses.response, event: responses.event },
  'anthropic-messages': { buffered: messages.message, event: z.union([messages.event, messages.failure]) },
  gemini: { buffered: gemini.response, event: z.union([gemini.chunk, gemini.failure]) },
} as const satisfies Record<string, ResponseSchema>

/** Describes the faults of a response or an event; empty for none. */
export function problemsOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value)
  return error === undefined ? '' : `${z.prettifyError(error)}\n${JSON.stringify(value)}`
}

/** The same of every event of a stream, as it went over the wire. */
export function problemsOfStream({ event }: ResponseSchema, text: string): string {
  return [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data = '']) => (data === '[DONE]' ? '' : problemsOf(event, JSON.parse(data))))
    .join('')
}
