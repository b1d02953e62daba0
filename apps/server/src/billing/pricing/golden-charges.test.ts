import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { type Operation, providerFor } from '@tollgate/providers'
import { costOf } from './charge.ts'
import { findPrice, type PriceSettings } from './price-table.ts'

/** A response as its vendor documents it, with its cost by the vendor's price list: quota is USD times 500,000. */
interface Golden {
  readonly channelType: number
  readonly model: string
  readonly wanted: Operation['format']
  readonly response: object
  /** USD per million tokens of the vendor, times tokens. */
  readonly microUsd: number
  readonly settings?: Partial<PriceSettings>
}

const message = { role: 'assistant', content: 'Hi' }
const chat = (usage: object) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
})

const goldens: Readonly<Record<string, Golden>> = {
  'a cached prompt and reasoning': {
    channelType: 1,
    model: 'gpt-5.4',
    wanted: 'openai-chat',
    response: chat({
      prompt_tokens: 2000,
      completion_tokens: 400,
      total_tokens: 2400,
      prompt_tokens_details: { cached_tokens: 1500 },
      completion_tokens_details: { reasoning_tokens: 300 },
    }),
    microUsd: 500 * 2.5 + 1500 * 0.25 + 400 * 15,
  },
  'a response': {
    channelType: 1,
    model: 'gpt-6-astra',
    wanted: 'openai-responses',
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'gpt-6-astra',
      output: [
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 200 },
        output_tokens: 100,
        output_tokens_details: { reasoning_tokens: 60 },
        total_tokens: 1100,
      },
    },
    microUsd: 800 * 10 + 200 * 1 + 100 * 50,
  },
  'writes to both caches': {
    channelType: 14,
    model: 'claude-opus-5',
    wanted: 'anthropic-messages',
    response: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 100,
        cache_read_input_tokens: 2000,
        cache_creation_input_tokens: 700,
        cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 300 },
        output_tokens: 50,
      },
    },
    microUsd: 100 * 5 + 2000 * 0.5 + 400 * 6.25 + 300 * 10 + 50 * 25,
  },
  'sound and thoughts': {
    channelType: 24,
    model: 'gemini-2.5-flash',
    wanted: 'gemini',
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 1000,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 600 },
          { modality: 'AUDIO', tokenCount: 400 },
        ],
        candidatesTokenCount: 50,
        thoughtsTokenCount: 30,
        totalTokenCount: 1080,
      },
      modelVersion: 'gemini-2.5-flash',
    },
    microUsd: 600 * 0.3 + 400 * 1 + 80 * 2.5,
  },
  'hits and misses of a cache': {
    channelType: 43,
    model: 'deepseek-v4-pro',
    wanted: 'openai-chat',
    response: chat({
      prompt_tokens: 1000,
      prompt_cache_hit_tokens: 640,
      prompt_cache_miss_tokens: 360,
      completion_tokens: 200,
      total_tokens: 1200,
    }),
    microUsd: 360 * 1.32 + 640 * 0.044 + 200 * 3.96,
  },
  'reasoning beside the completion': {
    channelType: 48,
    model: 'grok-4.5',
    wanted: 'openai-chat',
    response: chat({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 350,
      completion_tokens_details: { reasoning_tokens: 200 },
    }),
    microUsd: 100 * 2 + 250 * 6,
  },
  'billed units': {
    channelType: 34,
    model: 'command-a-03-2025',
    wanted: 'openai-chat',
    response: {
      id: 'c1',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
      usage: {
        billed_units: { input_tokens: 20, output_tokens: 10 },
        tokens: { input_tokens: 90, output_tokens: 12 },
      },
    },
    microUsd: 20 * 2.5 + 10 * 10,
  },
  'a prompt beyond 272,000 tokens': {
    channelType: 1,
    model: 'gpt-5.5',
    wanted: 'openai-chat',
    response: chat({
      prompt_tokens: 300_000,
      completion_tokens: 1000,
      total_tokens: 301_000,
      prompt_tokens_details: { cached_tokens: 100_000 },
    }),
    microUsd: 200_000 * 10 + 100_000 * 1 + 1000 * 45,
  },
  'ultrafast mode': {
    channelType: 1,
    model: 'gpt-6-astra',
    wanted: 'openai-chat',
    response: { ...chat({ prompt_tokens: 1000, completion_tokens: 100 }), service_tier: 'ultrafast' },
    microUsd: 1000 * 60 + 100 * 300,
  },
  'a long prompt of a newer model, written to its cache': {
    channelType: 1,
    model: 'gpt-6.2-sol',
    wanted: 'openai-chat',
    response: chat({
      prompt_tokens: 300_000,
      completion_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 100_000, cache_write_tokens: 50_000 },
    }),
    microUsd: 150_000 * 4 + 100_000 * 0.2 + 50_000 * 5 + 1000 * 15,
  },
  'priority processing': {
    channelType: 1,
    model: 'gpt-5-mini',
    wanted: 'openai-chat',
    response: {
      ...chat({ prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } }),
      service_tier: 'priority',
    },
    microUsd: 600 * 0.45 + 400 * 0.045 + 100 * 3.6,
  },
  'a response that searched twice': {
    channelType: 1,
    model: 'gpt-5',
    wanted: 'openai-responses',
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'gpt-5',
      service_tier: 'default',
      tools: [{ type: 'web_search' }],
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
        { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'b' } },
        { type: 'web_search_call', id: 'ws_3', status: 'completed', action: { type: 'search', query: 'c' } },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
      ],
      usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
    },
    microUsd: 1000 * 1.25 + 100 * 10 + 2 * 10_000,
  },
  'fast mode in the United States': {
    channelType: 14,
    model: 'claude-opus-5',
    wanted: 'anthropic-messages',
    response: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 100,
        output_tokens: 50,
        service_tier: 'standard',
        speed: 'fast',
        inference_geo: 'us',
        server_tool_use: { web_search_requests: 1, web_fetch_requests: 4 },
      },
    },
    microUsd: (100 * 10 + 50 * 50) * 1.1 + 10_000,
  },
  'grounding by the query': {
    channelType: 24,
    model: 'gemini-3.1-pro-preview',
    wanted: 'gemini',
    response: {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'Hi' }] },
          finishReason: 'STOP',
          index: 0,
          groundingMetadata: { webSearchQueries: ['a', 'b'] },
        },
      ],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: 1050 },
      modelVersion: 'gemini-3.1-pro-preview',
    },
    microUsd: 1000 * 2 + 50 * 12 + 2 * 14_000,
  },
  'a cache of Bedrock': {
    channelType: 33,
    model: 'amazon.nova-pro-v1:0',
    wanted: 'openai-chat',
    response: {
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      stopReason: 'end_turn',
      usage: {
        inputTokens: 500,
        outputTokens: 100,
        totalTokens: 900,
        cacheReadInputTokens: 300,
        cacheWriteInputTokens: 0,
      },
      metrics: { latencyMs: 1 },
    },
    settings: {
      ModelRatio: { 'amazon.nova-pro-v1:0': 0.4 },
      CompletionRatio: { 'amazon.nova-pro-v1:0': 4 },
      CacheRatio: { 'amazon.nova-pro-v1:0': 0.25 },
    },
    microUsd: 500 * 0.8 + 300 * 0.2 + 100 * 3.2,
  },
}

function chargeFor({ channelType, model, wanted, response, settings }: Golden): number {
  const target = {
    baseUrl: '',
    key: 'AKIDEXAMPLE|secret|us-east-1',
    other: '',
    openaiOrganization: '',
    upstreamModel: model,
    callerModel: model,
  }
  const codec = providerFor(channelType)?.operation('chat', target, wanted)?.codec
  const reading = codec?.decodeResponse(response)
  if (reading?.ok !== true || reading.response.usage === undefined) throw new Error('no usage was read')
  const price = findPrice({ ...defaults, ...settings }, model, 'default')
  if (price === 'unpriced') throw new Error(`${model} has no price`)
  return costOf(reading.response.usage, price)
}

describe('responses of vendors are charged by their price lists', () => {
  it.each(Object.entries(goldens))('%s', (_, golden) => {
    expect(chargeFor(golden)).toBe(Math.round(golden.microUsd / 2))
  })
})
