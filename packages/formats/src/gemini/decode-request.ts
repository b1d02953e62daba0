import type { RequestPath } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { type JsonObject, objectOf } from '../json-value.ts'
import { placed } from '../places.ts'
import { decodeConfig } from './decode-config.ts'
import { decodeContents, decodeInstruction } from './decode-content.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { keepUnknown, type Leftovers, member, objectAt, objectsAt, unsupported } from './fields.ts'
import { modelOf } from './inspect.ts'

const known: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
])

/**
 * Reads a body of `generateContent`. What has no canonical form stays in `vendor.fields`, by its path:
 * `safetySettings`, `generationConfig.speechConfig`, `tools[0].functionDeclarations[1].response`.
 */
export function decodeRequest(body: JsonObject, path: RequestPath): ChatRequest {
  if (member(body, 'cachedContent') !== undefined)
    throw unsupported(
      'cachedContent',
      'the content is stored at Google, and this model is not served from there',
    )
  const leftovers: Leftovers = new Map()
  const instruction = member(body, 'systemInstruction')
  const system = instruction === undefined ? [] : decodeInstruction(instruction, leftovers)
  const conversation = decodeContents(objectsAt(body, 'contents', ''), leftovers)
  const toolChoice = decodeToolChoice(objectAt(body, 'toolConfig', '') ?? objectOf(undefined), leftovers)
  const tools = decodeTools(objectsAt(body, 'tools', ''), leftovers)
  const { modalities, ...config } = decodeConfig(objectAt(body, 'generationConfig', '') ?? {}, leftovers)
  keepUnknown(body, known, '', leftovers)
  return {
    model: modelOf(body, path),
    stream: path.stream === true,
    messages:
      system.length === 0
        ? conversation
        : [placed({ role: 'system', parts: system }, 'systemInstruction'), ...conversation],
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...config,
    options: { ...(modalities !== undefined && { modalities }) },
    ...(leftovers.size > 0 && { vendor: { format: 'gemini', fields: Object.fromEntries(leftovers) } }),
  }
}
