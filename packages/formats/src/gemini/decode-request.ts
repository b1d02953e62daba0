import type { RequestPath } from '../canonical/codec.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { type JsonObject, objectOf } from '../json-value.ts'
import { withSourcePath } from '../source-paths.ts'
import { decodeConfig } from './decode-config.ts'
import { decodeContents, decodeInstruction } from './decode-content.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { collectUnknown, member, objectAt, objectsAt, type UnknownFields, unsupported } from './fields.ts'
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
  const unknownFields: UnknownFields = new Map()
  const instruction = member(body, 'systemInstruction')
  const system = instruction === undefined ? [] : decodeInstruction(instruction, unknownFields)
  const conversation = decodeContents(objectsAt(body, 'contents', ''), unknownFields)
  const toolChoice = decodeToolChoice(objectAt(body, 'toolConfig', '') ?? objectOf(undefined), unknownFields)
  const tools = decodeTools(objectsAt(body, 'tools', ''), unknownFields)
  const { modalities, ...config } = decodeConfig(objectAt(body, 'generationConfig', '') ?? {}, unknownFields)
  collectUnknown(body, known, '', unknownFields)
  return {
    model: modelOf(body, path),
    stream: path.stream === true,
    messages:
      system.length === 0
        ? conversation
        : [withSourcePath({ role: 'system', parts: system }, 'systemInstruction'), ...conversation],
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...config,
    options: { ...(modalities !== undefined && { modalities }) },
    ...(unknownFields.size > 0 && {
      vendor: { format: 'gemini', fields: Object.fromEntries(unknownFields) },
    }),
  }
}
