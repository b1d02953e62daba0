import type { JsonObject } from '../../json/value.ts'
import { type Feature, pdf, png, schema, url, wav } from './feature.ts'

const geminiTools = [
  { functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }, { name: 'other' }] },
]
const calling = (config: JsonObject) => ({
  tools: geminiTools,
  toolConfig: { functionCallingConfig: config },
})
const config = (generationConfig: JsonObject) => ({ generationConfig })

export const geminiFeatures: readonly Feature[] = [
  {
    name: 'system prompt',
    fields: { systemInstruction: { parts: [{ text: 'be-brief' }] } },
    field: 'systemInstruction',
    mark: 'be-brief',
  },
  {
    name: 'second turn',
    turns: [
      { role: 'model', parts: [{ text: 'said-before' }] },
      { role: 'user', parts: [{ text: 'go on' }] },
    ],
    field: 'contents',
    mark: 'said-before',
  },
  {
    name: 'image by address',
    content: { fileData: { mimeType: 'image/png', fileUri: url } },
    field: 'contents',
    mark: url,
  },
  {
    name: 'image as bytes',
    content: { inlineData: { mimeType: 'image/png', data: png } },
    field: 'contents',
    mark: png,
  },
  {
    name: 'document',
    content: { inlineData: { mimeType: 'application/pdf', data: pdf } },
    field: 'contents',
    mark: pdf,
  },
  {
    name: 'audio',
    content: { inlineData: { mimeType: 'audio/wav', data: wav } },
    field: 'contents',
    mark: wav,
    to: { 'anthropic-messages': 'refused' },
  },
  {
    name: 'film',
    content: { inlineData: { mimeType: 'video/mp4', data: wav } },
    field: 'contents',
    mark: wav,
    to: { 'openai-responses': 'refused', 'anthropic-messages': 'refused' },
  },
  { name: 'tools', fields: { tools: geminiTools }, field: 'tools', mark: 'city-mark' },
  {
    name: 'search of the vendor',
    fields: { tools: [...geminiTools, { googleSearch: {} }] },
    field: 'tools[1] (googleSearch)',
    mark: 'googleSearch',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
  {
    name: 'choice left to the model',
    base: { tools: geminiTools },
    fields: calling({ mode: 'AUTO' }),
    field: 'toolConfig',
  },
  { name: 'no tool', base: { tools: geminiTools }, fields: calling({ mode: 'NONE' }), field: 'toolConfig' },
  { name: 'a tool', base: { tools: geminiTools }, fields: calling({ mode: 'ANY' }), field: 'toolConfig' },
  {
    name: 'named tool',
    base: { tools: geminiTools },
    fields: calling({ mode: 'ANY', allowedFunctionNames: ['other'] }),
    field: 'toolConfig',
  },
  {
    name: 'JSON schema',
    fields: config({ responseMimeType: 'application/json', responseJsonSchema: schema }),
    field: 'generationConfig.response',
    mark: 'city-mark',
  },
  {
    name: 'level of thinking',
    fields: config({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
    field: 'generationConfig.thinkingConfig',
  },
  {
    name: 'budget',
    fields: config({ thinkingConfig: { thinkingBudget: 2000 } }),
    field: 'generationConfig.thinkingConfig',
  },
  {
    name: 'signature',
    turns: [{ role: 'model', parts: [{ text: 'Yes.', thoughtSignature: 'c2ln' }] }],
    field: 'contents',
    mark: 'c2ln',
    to: { 'openai-chat': 'withheld', 'openai-responses': 'withheld', 'anthropic-messages': 'withheld' },
  },
  {
    name: 'stop',
    fields: config({ stopSequences: ['END'] }),
    field: 'generationConfig.stopSequences',
    mark: 'END',
    to: { 'openai-responses': 'refused' },
  },
  {
    name: 'seed',
    fields: config({ seed: 7654321 }),
    field: 'generationConfig.seed',
    mark: '7654321',
    to: { 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
  {
    name: 'topK',
    fields: config({ topK: 41 }),
    field: 'generationConfig.topK',
    mark: '41',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned' },
  },
  {
    name: 'presence penalty',
    fields: config({ presencePenalty: 0.625 }),
    field: 'generationConfig.presencePenalty',
    mark: '0.625',
    to: { 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
  {
    name: 'frequency penalty',
    fields: config({ frequencyPenalty: 0.625 }),
    field: 'generationConfig.frequencyPenalty',
    mark: '0.625',
    to: { 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
  {
    name: 'logprobs',
    fields: config({ responseLogprobs: true, logprobs: 3 }),
    field: 'generationConfig.responseLogprobs',
    to: { 'anthropic-messages': 'warned' },
  },
  {
    name: 'candidates',
    fields: config({ candidateCount: 3 }),
    field: 'generationConfig.candidateCount',
    mark: '3',
    to: { 'openai-responses': 'refused', 'anthropic-messages': 'refused' },
  },
  {
    name: 'modalities',
    fields: config({ responseModalities: ['TEXT', 'IMAGE'] }),
    field: 'generationConfig.responseModalities',
    mark: 'image',
    to: { 'openai-responses': 'refused', 'anthropic-messages': 'refused' },
  },
  {
    name: 'safety',
    fields: { safetySettings: [{ category: 'a', threshold: 'b' }] },
    field: 'safetySettings',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
  {
    name: 'stored content',
    fields: { cachedContent: 'cachedContents/1' },
    field: 'cachedContent',
    to: { 'openai-chat': 'refused', 'openai-responses': 'refused', 'anthropic-messages': 'refused' },
  },
  {
    name: 'labels',
    fields: { labels: { a: 'label-mark' } },
    field: 'labels',
    mark: 'label-mark',
    to: { 'openai-chat': 'warned', 'openai-responses': 'warned', 'anthropic-messages': 'warned' },
  },
]
