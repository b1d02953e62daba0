import { describe, expect, it } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import type * as Google from '@google/genai'
import type OpenAI from 'openai'
import type { z } from 'zod'
import type * as messages from './anthropic-messages.ts'
import type * as gemini from './gemini.ts'
import { problemsOf, responseSchemas } from './index.ts'
import type * as chat from './openai-chat.ts'
import type * as responses from './openai-responses.ts'

/**
 * The compiler holds each schema against the types of the vendor's own SDK: what passes the schema has all that they require.
 * Google's are classes with readers, whose data alone is compared.
 */
type Response = OpenAI.Responses.Response
/** The SDK adds `output_text`. Of `user` and `text` OpenAI itself sends null, which its types leave out. */
type WireResponse = Omit<
  Response,
  'output_text' | 'user' | 'text' | 'tools' | 'tool_choice' | 'reasoning' | 'error' | 'usage'
>
type WireUsage = NonNullable<Response['usage']>
type Message = z.output<typeof messages.message>
/** Anthropic leaves `citations` of a text out, where its SDK's types have null. */
type Block = Exclude<Message['content'][number], { readonly type: 'text' }>
type Event = Exclude<
  z.output<typeof messages.event>,
  { readonly type: 'message_start' | 'content_block_start' }
>
type GoogleResponse = Pick<Google.GenerateContentResponse, 'candidates' | 'modelVersion' | 'responseId'>

interface Proofs {
  completion(value: z.output<typeof chat.completion>): OpenAI.ChatCompletion
  chunk(value: z.output<typeof chat.chunk>): OpenAI.ChatCompletionChunk
  response(value: z.output<typeof responses.response>): WireResponse
  usage(value: z.output<typeof responses.response>['usage']): WireUsage
  message(value: Message): Omit<Anthropic.Message, 'content'>
  block(value: Block): Anthropic.ContentBlock
  event(value: Event): Anthropic.RawMessageStreamEvent
  gemini(value: Data<z.output<typeof gemini.response>>): Data<GoogleResponse>
}

/** Values of enumerations are their texts on the wire. */
type Data<Value> = Value extends string
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Data<Value[Key]> }
    : Value

const proofs: Proofs = {
  completion: (value) => value,
  chunk: (value) => value,
  response: (value) => value,
  usage: (value) => value,
  message: (value) => value,
  block: (value) => value,
  event: (value) => value,
  gemini: (value) => value,
}

describe('schemas of responses', () => {
  it('are at least as strict as the types of the vendors’ SDKs, which the compiler proves', () => {
    expect(Object.keys(proofs).length).toBe(8)
  })

  it('name what is wrong', () => {
    const { buffered } = responseSchemas['anthropic-messages']
    expect(problemsOf(buffered, { type: 'message' })).toContain('stop_details')
  })
})
