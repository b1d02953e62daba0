import type { Counts } from '../protocols/protocol.ts'
import {
  anthropicCaller,
  geminiCaller,
  openAiCaller,
  responsesCaller,
  type SdkAsk,
  type SdkOptions,
  vercelCallers,
} from './sdk-callers.ts'

/** A program that calls: its SDK, and what the SDK makes of a response. */
export interface Caller {
  readonly name: string
  readonly sdk: (options: SdkOptions) => SdkAsk
  readonly stops: { readonly text: string; readonly call: string }
  usageVisible(counts: Counts): Readonly<Record<string, number>>
  /** The SDK lacks fields that its vendor's own models do not send: reasoning, and signatures of calls. */
  readonly knowsOwnVendorOnly?: boolean
}

const vercel = {
  stops: { text: 'stop', call: 'tool-calls' },
  usageVisible: (counts: Counts) => nonZero({ ...counts }),
}

export const callers: readonly Caller[] = [
  {
    name: 'openai chat',
    sdk: openAiCaller,
    stops: { text: 'stop', call: 'tool_calls' },
    usageVisible: ({ input, cacheRead, cacheWrite, output, reasoning }) =>
      nonZero({
        prompt_tokens: input + cacheRead + cacheWrite,
        completion_tokens: output,
        total_tokens: input + cacheRead + cacheWrite + output,
        cached_tokens: cacheRead,
        reasoning_tokens: reasoning,
      }),
  },
  {
    name: 'openai responses',
    sdk: responsesCaller,
    stops: { text: 'completed', call: 'completed' },
    usageVisible: ({ input, cacheRead, cacheWrite, output, reasoning }) =>
      nonZero({
        input_tokens: input + cacheRead + cacheWrite,
        output_tokens: output,
        total_tokens: input + cacheRead + cacheWrite + output,
        cached_tokens: cacheRead,
        reasoning_tokens: reasoning,
      }),
  },
  {
    name: 'anthropic',
    sdk: anthropicCaller,
    stops: { text: 'end_turn', call: 'tool_use' },
    usageVisible: ({ input, cacheRead, cacheWrite, output }) =>
      nonZero({
        input_tokens: input,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
        output_tokens: output,
      }),
  },
  {
    name: 'google genai',
    sdk: geminiCaller,
    stops: { text: 'STOP', call: 'STOP' },
    usageVisible: ({ input, cacheRead, cacheWrite, output, reasoning }) =>
      nonZero({
        promptTokenCount: input + cacheRead + cacheWrite,
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
        totalTokenCount: input + cacheRead + cacheWrite + output,
        cachedContentTokenCount: cacheRead,
      }),
  },
  { ...vercel, name: 'ai/openai chat', sdk: vercelCallers.openai, knowsOwnVendorOnly: true },
  { ...vercel, name: 'ai/openai responses', sdk: vercelCallers.responses },
  { ...vercel, name: 'ai/anthropic', sdk: vercelCallers.anthropic },
  {
    ...vercel,
    name: 'ai/google',
    sdk: vercelCallers.gemini,
    usageVisible: ({ input, cacheWrite, ...others }) => nonZero({ ...others, input: input + cacheWrite }),
  },
]

function nonZero(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
