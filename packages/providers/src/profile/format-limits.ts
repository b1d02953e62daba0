import type { FormatName } from '@tollgate/formats'
import type { Limits } from './target-profile.ts'

/** Names and ids as the formats themselves define them: what a translated call keeps to at a vendor that documents no limit. */
const limits: Partial<Record<FormatName, Limits>> = {
  // https://platform.openai.com/docs/api-reference/chat/create
  'openai-chat': {
    toolName: { max: 64, characters: 'word' },
    callId: { max: 64, characters: 'any' },
    texts: { user: { max: 64 } },
  },
  // https://platform.openai.com/docs/api-reference/responses/create
  'openai-responses': {
    toolName: { max: 64, characters: 'word' },
    callId: { max: 64, characters: 'any' },
    texts: { user: { max: 64 } },
  },
  // https://platform.claude.com/docs/en/api/messages
  'anthropic-messages': {
    toolName: { max: 128, characters: 'word' },
    callId: { max: 128, characters: 'word' },
    texts: { 'metadata.user_id': { max: 256 } },
  },
  // https://ai.google.dev/api/caching#FunctionDeclaration
  gemini: { toolName: { max: 128, characters: 'gemini' } },
  // https://docs.cohere.com/reference/chat
  'cohere-chat': { callId: { max: 128, characters: 'word' } },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html
  'bedrock-converse': {
    toolName: { max: 64, characters: 'word' },
    callId: { max: 64, characters: 'word' },
  },
}

/** Limits that a format defines; none for the others. */
export function formatLimits(format: string): Limits {
  return limits[format as FormatName] ?? {}
}
