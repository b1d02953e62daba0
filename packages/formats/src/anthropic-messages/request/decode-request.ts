import { RequestFault, type RequestPath } from '../../canonical/codec.ts'
import type {
  ChatRequest,
  Message,
  OutputFormat,
  ReasoningOptions,
  RequestOptions,
  Sampling,
} from '../../canonical/request.ts'
import { type JsonObject, listOf, objectOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { sinceSummary } from '../../requests/compacted.ts'
import {
  decimal,
  defined,
  integer,
  invalid,
  object,
  optional,
  stopSequences,
  text,
  texts,
} from '../../requests/fields.ts'
import { type DecodeContext, decodeAssistant, decodeSystem, decodeUser } from './decode-content.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { isEffortAlone, maxTokensLimit, readMessages, readModel, readStream } from './inspect.ts'

/** @throws RequestFault that names the field */
export function decodeRequest(body: JsonObject, path: RequestPath): ChatRequest {
  const context: DecodeContext = { toolNames: new Map(), extras: {}, summaries: new Set() }
  const outputConfig = optional(body.output_config, 'output_config', object) ?? {}
  const messages = decodeMessages(body, context)
  const tools = decodeTools(body.tools, context)
  const reasoning = decodeReasoning(body, outputConfig, context)
  return defined<ChatRequest>({
    model: readModel(body, path),
    stream: readStream(body, path),
    messages,
    tools,
    ...decodeToolChoice(body.tool_choice),
    outputFormat: decodeOutputFormat(body, outputConfig),
    reasoning,
    sampling: decodeSampling(body),
    maxOutputTokens: optional(body.max_tokens, 'max_tokens', integer(1, maxTokensLimit)),
    options: decodeOptions(body),
    vendor: vendorOf({ ...unknownFields(body, outputConfig), ...context.extras }),
  })
}

const knownFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'service_tier',
])

/** Fields without a canonical form, by their names; of `output_config` what is not read here. */
function unknownFields(body: JsonObject, outputConfig: JsonObject): JsonObject {
  const { effort: _effort, format: _format, ...config } = outputConfig
  const fields = Object.entries(body).filter(([name, value]) => !knownFields.has(name) && value !== null)
  if (Object.keys(config).length > 0) fields.push(['output_config', config])
  return Object.fromEntries(fields)
}

function vendorOf(fields: JsonObject): ChatRequest['vendor'] {
  return Object.keys(fields).length === 0 ? undefined : { format: 'anthropic-messages', fields }
}

function decodeMessages(body: JsonObject, context: DecodeContext): readonly Message[] {
  const system = optional(body.system, 'system', (value, param) => decodeSystem(value, param, context)) ?? []
  const decoded = readMessages(body).flatMap((message, index) => {
    const path = `messages[${index}]`
    return isEffortAlone(message) ? [] : [withSourcePath(decodeMessage(message, path, context), path)]
  })
  const messages = sinceSummary(decoded, context.summaries)
  return system.length === 0
    ? messages
    : [withSourcePath({ role: 'system', parts: system }, 'system'), ...messages]
}

/** Returns the effort that holds at the end of the conversation: that of the last message which changes it, or the request's own. */
function wantedEffort(body: JsonObject, { effort }: JsonObject): unknown {
  const changes = listOf(body.messages).map((message) => objectOf(objectOf(message).output_config).effort)
  return changes.findLast((change) => change !== undefined && change !== null) ?? effort
}

function decodeMessage({ role, content }: JsonObject, param: string, context: DecodeContext): Message {
  const at = `${param}.content`
  switch (role) {
    case 'user':
      return { role, parts: decodeUser(content, at, context) }
    case 'assistant':
      return { role, parts: decodeAssistant(content, at, context) }
    case 'system':
      return { role, parts: decodeSystem(content, at, context) }
    default:
      throw invalid(`${param}.role`, 'it must be "user", "assistant" or "system"')
  }
}

function decodeSampling(body: JsonObject): Sampling {
  return defined<Sampling>({
    temperature: optional(body.temperature, 'temperature', decimal(0, 1)),
    topP: optional(body.top_p, 'top_p', decimal(0, 1)),
    topK: optional(body.top_k, 'top_k', integer(0, maxTokensLimit)),
    stop: stopSequences(optional(body.stop_sequences, 'stop_sequences', texts) ?? []),
    candidates: 1,
  })
}

function decodeOptions(body: JsonObject): RequestOptions {
  const { user_id, ...metadata } = optional(body.metadata, 'metadata', object) ?? {}
  return defined<RequestOptions>({
    user: optional(user_id, 'metadata.user_id', text),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    serviceTier: optional(body.service_tier, 'service_tier', text),
  })
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/**
 * `adaptive` leaves the spending to the model (a budget of -1). An effort without thinking asks for reasoning at other
 * vendors; beside thinking that is switched off it only steers the length, which is this vendor's own idea.
 */
function decodeReasoning(
  body: JsonObject,
  outputConfig: JsonObject,
  context: DecodeContext,
): ReasoningOptions | undefined {
  const effort = optional(wantedEffort(body, outputConfig), 'output_config.effort', readEffort)
  const thinking = optional(body.thinking, 'thinking', object)
  if (thinking === undefined) return effort === undefined ? undefined : { effort }
  switch (text(thinking.type, 'thinking.type')) {
    // Off before the first tool: where a model has no such setting, off altogether is nearest.
    case 'between_tools':
    case 'disabled':
      if (effort !== undefined) context.extras['output_config.effort'] = effort
      return { effort: 'none' }
    case 'enabled': {
      const budgetTokens = integer(1, maxTokensLimit)(thinking.budget_tokens, 'thinking.budget_tokens')
      return defined<ReasoningOptions>({
        effort,
        budgetTokens,
        includeThoughts: thinking.display !== 'omitted',
      })
    }
    case 'adaptive':
      return defined<ReasoningOptions>({
        effort,
        budgetTokens: -1,
        includeThoughts: visible(thinking.display),
      })
    default:
      throw invalid('thinking.type', 'it must be "enabled", "adaptive", "between_tools" or "disabled"')
  }
}

function readEffort(value: unknown, param: string): (typeof efforts)[number] {
  const known = efforts.find((effort) => effort === value)
  if (known === undefined) throw invalid(param, `it must be one of ${efforts.join(', ')}`)
  return known
}

/** Returns whether the caller is shown reasoning; `undefined` where the request leaves that to the model. */
function visible(display: unknown): boolean | undefined {
  return display === 'summarized' || display === 'full' ? true : display === 'omitted' ? false : undefined
}

/** `output_format` is the older name of the field. https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function decodeOutputFormat(body: JsonObject, { format }: JsonObject): OutputFormat | undefined {
  const param = format === undefined || format === null ? 'output_format' : 'output_config.format'
  const wanted = optional(format ?? body.output_format, param, object)
  if (wanted === undefined) return undefined
  if (text(wanted.type, `${param}.type`) !== 'json_schema')
    throw new RequestFault(
      `${param}.type is invalid: it must be "json_schema"`,
      `${param}.type`,
      'invalid_value',
    )
  return {
    type: 'json-schema',
    name: 'answer',
    schema: object(wanted.schema, `${param}.schema`),
    strict: true,
  }
}
